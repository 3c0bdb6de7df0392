import java.io.ByteArrayInputStream;
import java.util.AbstractMap;
import java.util.Map;
import java.util.TreeSet;
import org.json.JSONObject;
import org.json.JSONParserConfiguration;
import org.json.JSONTokener;

/** JSON-Java, org.json. */
final class OrgJsonShims {
    private OrgJsonShims() {}

    static Shim make(String way) {
        JSONParserConfiguration usual = new JSONParserConfiguration();
        Shim.Call<byte[], Object> parse = switch (way) {
            case "tokener" -> data -> new JSONTokener(new ByteArrayInputStream(data)).nextValue();
            case "object" -> data -> new JSONObject(Shim.text(data));
            case "overwrite" -> data ->
                    new JSONTokener(new ByteArrayInputStream(data), usual.withOverwriteDuplicateKey(true)).nextValue();
            case "strict" -> data -> new JSONObject(Shim.text(data), usual.withStrictMode(true));
            default -> null;
        };
        return parse == null ? null : new Shim(Map.of("org.json", JSONObject.class), parse, OrgJsonShims::view,
                value -> Shim.bytes(JSONObject.valueToString(value)));
    }

    private static Object view(Object value) {
        if (value instanceof JSONObject object) { // a HashMap inside: no order, so sorted
            return new Notation.Members(new TreeSet<>(object.keySet()).stream()
                    .map(name -> new AbstractMap.SimpleEntry<>(name, object.opt(name))).iterator());
        }
        return value == JSONObject.NULL ? null : value; // JSONArray is iterable
    }
}
