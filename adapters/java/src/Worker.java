import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** A worker for parsers in Java: the frames and the loop of ../../PROTOCOL.md. */
final class Worker {
    /**
     * The stack of the thread that parses, in bytes. With the 1 MiB of threads on x86-64, fastjson2 meets its own limit of
     * levels or overflows, by what has been compiled.
     */
    private static final long STACK = 2 << 20;

    private record Frame(String verb, String sequence, byte[] body) {}

    private record Said(String verb, byte[] body) {
        Said(String verb, String line) {
            this(verb, line.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private final Map<String, String> stages = new HashMap<>(); // by the name of the error
    private Shim shim;

    public static void main(String[] arguments) {
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
        System.setOut(System.err); // what a library prints does not meet the frames
        int[] status = {1};
        Thread thread = new Thread(null, () -> status[0] = new Worker().serve(out), "worker", STACK);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException error) {
            // ends below
        }
        Runtime.getRuntime().halt(status[0]); // a library may have left threads that do not end
    }

    private int serve(OutputStream out) {
        DataInputStream in =
                new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 16));
        try {
            for (Frame frame; (frame = read(in)) != null; out.flush()) {
                if (frame.verb.equals("hello")) {
                    write(out, "0", hello(new String(frame.body, StandardCharsets.UTF_8)));
                } else if (frame.verb.equals("batch")) {
                    DataInputStream inner = new DataInputStream(new ByteArrayInputStream(frame.body));
                    for (Frame each; (each = read(inner)) != null; ) {
                        write(out, each.sequence, answer(each));
                    }
                } else {
                    write(out, frame.sequence, answer(frame));
                }
            }
            return 0;
        } catch (IOException error) { // nobody is listening any more
            return 1;
        }
    }

    /** The next frame; null for `bye` and at the end of input. */
    private static Frame read(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c; (c = in.read()) != '\n'; line.append((char) c)) {
            if (c < 0) {
                return null;
            }
        }
        String[] words = line.toString().split(" ");
        byte[] body = new byte[Integer.parseInt(words[2])];
        try {
            in.readFully(body);
            in.readByte();
        } catch (EOFException error) {
            return null;
        }
        return words[0].equals("bye") ? null : new Frame(words[0], words[1], body);
    }

    private static void write(OutputStream out, String sequence, Said said) throws IOException {
        String head = said.verb + " " + sequence + " " + said.body.length + "\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(said.body);
        out.write('\n');
    }

    private Said hello(String text) {
        String name = "";
        for (String line : text.split("\n")) {
            int space = line.indexOf(' ');
            String key = space < 0 ? line : line.substring(0, space), value = line.substring(space + 1);
            switch (key) {
                case "protocol" -> {
                    if (!value.equals("1")) {
                        return new Said("fault", "ProtocolMismatch this kit speaks protocol 1");
                    }
                }
                case "shim" -> name = value;
                case "rejects" -> stages.put(value, "parse");
                case "rejects-decode" -> stages.put(value, "decode");
                case "rejects-bind" -> stages.put(value, "bind");
                default -> { }
            }
        }
        try {
            shim = Shim.named(name);
        } catch (Throwable error) {
            return new Said("fault", line("Unavailable " + error));
        }
        if (shim == null) {
            return new Said("fault", "UnknownShim this adapter has no such shim");
        }
        StringBuilder ready = new StringBuilder("protocol 1\nruntime Java ")
                .append(System.getProperty("java.version")).append('\n');
        try {
            for (Map.Entry<String, Class<?>> library : shim.libraries().entrySet()) {
                Path jar = Path.of(library.getValue().getProtectionDomain().getCodeSource().getLocation().toURI());
                String file = jar.getFileName().toString();
                String version = file.replaceFirst("^.*?-(?=[0-9])", "").replaceFirst("\\.jar$", "");
                ready.append("library ").append(library.getKey()).append(' ').append(version).append('\n');
                ready.append("file ").append(jar).append('\n');
            }
        } catch (Exception error) {
            return new Said("fault", line("Unavailable " + error));
        }
        ready.append(line("detail vm=" + System.getProperty("java.vm.name") + " "
                + System.getProperty("java.vm.version"))).append('\n');
        String flags = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-XX:") || flag.equals("-Xbatch")) // they decide how deep code recurses
                .collect(Collectors.joining(" "));
        ready.append(line("detail flags=" + flags)).append('\n');
        ready.append("detail stack=").append(STACK >> 10).append(" KiB\n");
        ready.append("detail charset=").append(Charset.defaultCharset()).append('\n');
        ready.append("capability parse\n").append(shim.write() == null ? "" : "capability emit\n");
        return new Said("ready", ready.toString().getBytes(StandardCharsets.UTF_8));
    }

    private Said answer(Frame frame) {
        boolean emit = frame.verb.equals("emit");
        if (shim == null || (emit ? shim.write() == null : !frame.verb.equals("parse"))) {
            return new Said("unsupported", line("no " + frame.verb));
        }
        Object value;
        try {
            value = shim.parse().apply(frame.body);
        } catch (Throwable error) {
            return refused(error);
        }
        try { // nothing that is thrown here is a word about the text
            return new Said("accept", emit ? shim.write().apply(value) : new Notation(shim.view()).render(value));
        } catch (Throwable error) {
            return fault(error);
        }
    }

    private Said refused(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof Error) { // a library may wrap StackOverflowError in its own error
                return fault(cause);
            }
        }
        String name = error.getClass().getName();
        String stage = stages.get(name);
        if (stage == null) {
            return fault(error);
        }
        String other = shim.stage().apply(error);
        return new Said("reject", line((other == null ? stage : other) + " " + name + " " + error.getMessage()));
    }

    private static Said fault(Throwable error) {
        return new Said("fault", line(error.getClass().getName() + " " + error.getMessage()));
    }

    private static String line(String text) {
        return text.substring(0, Math.min(text.length(), 290)).replaceAll("[^ -~]", "?");
    }
}
