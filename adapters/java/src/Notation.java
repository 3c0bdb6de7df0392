import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Date;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The notation of a value (docs/design.md), for values of Java. Iterative: depth is no matter. */
final class Notation {
    /** An object: its names in order, repeats kept. */
    record Members(Iterator<? extends Map.Entry<?, ?>> each) {}

    /** A number that the library keeps as it is spelled. */
    record Literal(String spelling) {}

    /** What is no value of JSON and has a name. */
    record Named(String name) {}

    private record Container(Object itself, Iterator<?> each, boolean object) {}

    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final StringBuilder out = new StringBuilder();
    private final Deque<Container> stack = new ArrayDeque<>();
    private final Set<Object> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final UnaryOperator<Object> view;

    Notation(UnaryOperator<Object> view) {
        this.view = view;
    }

    byte[] render(Object root) {
        value(root);
        boolean first = true;
        while (!stack.isEmpty()) {
            Container top = stack.peek();
            if (!top.each.hasNext()) {
                out.append(top.object ? '}' : ']');
                open.remove(top.itself);
                stack.pop();
                first = false;
                continue;
            }
            if (!first) {
                out.append(',');
            }
            Object next = top.each.next();
            if (next instanceof Map.Entry<?, ?> member && top.object) {
                if (member.getKey() instanceof String name) {
                    text(name);
                } else {
                    other(member.getKey());
                }
                out.append(':');
                next = member.getValue();
            }
            int depth = stack.size();
            value(next);
            first = stack.size() > depth;
        }
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private void value(Object itself) {
        Object value = view.apply(itself);
        if (value instanceof Members members) {
            enter(itself, members.each, true);
        } else if (value instanceof Map<?, ?> map) {
            // A HashMap keeps no order: so sorted.
            boolean sorted = map instanceof HashMap && !(map instanceof LinkedHashMap);
            enter(itself, (sorted ? new TreeMap<Object, Object>(map) : map).entrySet().iterator(), true);
        } else if (value instanceof Iterable<?> list && !(value instanceof Set)) { // a set is no array
            enter(itself, list.iterator(), false);
        } else if (value == null || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof String string) {
            text(string);
        } else if (value instanceof Integer || value instanceof Long || value instanceof BigInteger) {
            out.append(value);
        } else if (value instanceof Double number) { // spelled with a `.`, or NaN, Infinity, -Infinity
            out.append(number);
        } else if (value instanceof Float number) { // exact
            out.append(number.doubleValue());
        } else if (value instanceof BigDecimal || value instanceof Literal) {
            number(value instanceof Literal literal ? literal.spelling : value.toString());
        } else {
            other(value);
        }
    }

    private void enter(Object itself, Iterator<?> each, boolean object) {
        if (!open.add(itself)) { // fastjson2 follows references
            out.append("X\"cycle\"");
            return;
        }
        stack.push(new Container(itself, each, object));
        out.append(object ? '{' : '[');
    }

    private void number(String spelling) {
        if (DECIMAL.matcher(spelling).matches()) {
            out.append('D').append(spelling);
        } else {
            out.append('X');
            text("number:" + spelling);
        }
    }

    /** What is no value of JSON, by its class; where it can be told also which one. */
    private void other(Object value) {
        out.append('X');
        if (value instanceof Named named) {
            text(named.name);
        } else {
            String name = value == null ? "null" : value.getClass().getName();
            boolean said = value instanceof Number || value instanceof Map || value instanceof Iterable;
            // Two of them are one value only if they say the same.
            text(value instanceof Date date ? name + ":" + date.getTime() : said ? name + ":" + value : name);
        }
    }

    /** Strings of Java are UTF-16: code units as they are. */
    private void text(String string) {
        out.append('"');
        for (int at = 0; at < string.length(); at++) {
            char c = string.charAt(at);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c >= ' ' && c <= '~') {
                        out.append(c);
                    } else {
                        out.append(String.format("\\u%04x", (int) c));
                    }
                }
            }
        }
        out.append('"');
    }
}
