import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * One subject.
 *
 * @param libraries by name, a class of it: the file that it is from has the version
 * @param parse the call under test
 * @param view a value of the library as one that {@link Notation} knows, its outermost level
 * @param write the library's own text of what it parsed; null where it has no writer
 * @param stage `parse` or `bind` where an error's class does not tell; null: as the manifest says
 */
record Shim(
        Map<String, Class<?>> libraries,
        Call<byte[], Object> parse,
        UnaryOperator<Object> view,
        Call<Object, byte[]> write,
        Call.Sure<Throwable, String> stage) {

    /** A call that may throw whatever a library throws. */
    interface Call<A, B> {
        B apply(A given) throws Exception;

        /** One that does not throw. */
        interface Sure<A, B> extends Call<A, B> {
            @Override
            B apply(A given);
        }
    }

    Shim(Map<String, Class<?>> libraries, Call<byte[], Object> parse, UnaryOperator<Object> view,
            Call<Object, byte[]> write) {
        this(libraries, parse, view, write, error -> null);
    }

    /** The shim of that name, null if there is none. Only the library that is asked for is loaded. */
    static Shim named(String name) {
        String[] parts = name.split("\\.", 2);
        String way = parts[parts.length - 1];
        return switch (parts[0]) {
            case "jackson" -> JacksonShims.make(way);
            case "gson" -> GsonShims.make(way);
            case "orgjson" -> OrgJsonShims.make(way);
            case "fastjson2" -> Fastjson2Shims.make(way);
            case "jsonsmart" -> JsonSmartShims.make(way);
            case "moshi" -> MoshiShims.make(way);
            default -> null;
        };
    }

    /** Text for a library that takes no bytes; bad bytes become U+FFFD, as wherever Java decodes. */
    static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
