import com.squareup.moshi.JsonAdapter;
import com.squareup.moshi.Moshi;
import java.util.LinkedHashMap;
import java.util.Map;
import okio.Buffer;

/** Moshi. */
final class MoshiShims {
    private MoshiShims() {}

    static Shim make(String way) {
        boolean order = way.startsWith("pojo");
        JsonAdapter<?> usual = new Moshi.Builder().build().adapter(order ? Order.class : Object.class);
        JsonAdapter<?> adapter = switch (way) {
            case "text", "source", "pojo" -> usual;
            case "lenient" -> usual.lenient();
            case "pojo_unknown" -> usual.failOnUnknown();
            default -> null;
        };
        if (adapter == null) {
            return null;
        }
        Map<String, Class<?>> libraries = new LinkedHashMap<>();
        libraries.put("moshi", Moshi.class);
        libraries.put("okio-jvm", Buffer.class);
        Shim.Call<byte[], Object> parse = way.equals("source") || order
                ? data -> adapter.fromJson(new Buffer().write(data))
                : data -> adapter.fromJson(Shim.text(data));
        @SuppressWarnings("unchecked")
        JsonAdapter<Object> writer = (JsonAdapter<Object>) adapter;
        return new Shim(libraries, parse, Order::view, order ? null : value -> Shim.bytes(writer.toJson(value)),
                error -> String.valueOf(error.getMessage()).startsWith("Nesting too deep") ? "parse" : null);
    }
}
