import java.util.Map;
import net.minidev.json.JSONValue;
import net.minidev.json.parser.JSONParser;

/** json-smart. */
final class JsonSmartShims {
    private JsonSmartShims() {}

    static Shim make(String way) {
        Integer mode = switch (way) {
            case "permissive", "bytes" -> JSONParser.MODE_PERMISSIVE;
            case "strictest" -> JSONParser.MODE_STRICTEST;
            case "rfc4627" -> JSONParser.MODE_RFC4627;
            case "simple" -> JSONParser.MODE_JSON_SIMPLE;
            default -> null;
        };
        if (mode == null) {
            return null;
        }
        Shim.Call<byte[], Object> parse = way.equals("bytes")
                ? data -> new JSONParser(mode).parse(data)
                : data -> new JSONParser(mode).parse(Shim.text(data));
        return new Shim(Map.of("json-smart", JSONParser.class), parse, value -> value,
                value -> Shim.bytes(JSONValue.toJSONString(value)));
    }
}
