import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONException;
import com.alibaba.fastjson2.JSONReader.Feature;
import java.util.Map;

/** fastjson2. */
final class Fastjson2Shims {
    private Fastjson2Shims() {}

    static Shim make(String way) {
        Shim.Call<byte[], Object> parse = switch (way) {
            case "bytes" -> data -> JSON.parse(data);
            case "text" -> data -> JSON.parse(Shim.text(data));
            case "object" -> data -> JSON.parseObject(Shim.text(data));
            case "duplicates" -> data -> JSON.parse(data, Feature.ErrorOnDuplicateKeys);
            case "collect" -> data -> JSON.parse(data, Feature.DuplicateKeyValueAsArray);
            case "pojo" -> data -> JSON.parseObject(data, Order.class);
            case "pojo_unknown" -> data -> JSON.parseObject(data, Order.class, Feature.ErrorOnUnknownProperties);
            default -> null;
        };
        if (parse == null) {
            return null;
        }
        Map<String, Class<?>> libraries = Map.of("fastjson2", JSON.class);
        if (!way.startsWith("pojo")) {
            return new Shim(libraries, parse, value -> value, value -> JSON.toJSONBytes(value));
        }
        byte[][] last = new byte[1][];
        return new Shim(libraries, data -> parse.apply(last[0] = data), Order::view, null, error -> stage(last[0]));
    }

    /** Its one error is for both: what the library reads without a target, the target refused. */
    private static String stage(byte[] data) {
        try {
            JSON.parse(data);
            return "bind";
        } catch (JSONException error) {
            return "parse";
        }
    }
}
