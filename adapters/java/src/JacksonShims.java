import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/** Jackson. Bytes go in as they are. */
final class JacksonShims {
    private JacksonShims() {}

    static Shim make(String way) {
        JsonMapper.Builder builder = JsonMapper.builder();
        switch (way) {
            case "tree", "map", "object", "pojo", "update" -> { }
            case "strict_duplicates" -> builder.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
            case "tree_keys" -> builder.enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);
            case "trailing" -> builder.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
            case "decimal" -> builder.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
            case "pojo_ignore" -> builder.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
            case "pojo_case" -> builder.enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES);
            default -> {
                return null;
            }
        }
        ObjectMapper mapper = builder.build();
        Map<String, Class<?>> libraries = new LinkedHashMap<>();
        libraries.put("jackson-databind", ObjectMapper.class);
        libraries.put("jackson-core", JsonFactory.class);
        Shim.Call<byte[], Object> parse = switch (way) {
            case "map" -> data -> mapper.readValue(data, Map.class);
            case "object" -> data -> mapper.readValue(data, Object.class);
            case "pojo", "pojo_ignore", "pojo_case" -> data -> mapper.readValue(data, Order.class);
            case "update" -> data -> mapper.readerForUpdating(Order.populated()).readValue(data);
            default -> mapper::readTree;
        };
        boolean order = way.startsWith("pojo") || way.equals("update");
        return new Shim(libraries, parse, order ? Order::view : JacksonShims::view,
                order ? null : mapper::writeValueAsBytes, JacksonShims::stage);
    }

    /** A wrapper adds where in the target it happened: what happened is its cause. */
    private static String stage(Throwable error) {
        boolean wrapped = error instanceof JsonMappingException
                && error.getCause() instanceof StreamReadException cause
                && !(cause instanceof InputCoercionException); // a number that the field cannot hold
        boolean empty = String.valueOf(error.getMessage()).startsWith("No content to map");
        return wrapped || empty ? "parse" : null;
    }

    private static Object view(Object value) {
        if (!(value instanceof JsonNode node)) {
            return value;
        }
        return switch (node.getNodeType()) {
            case OBJECT -> new Notation.Members(node.properties().iterator());
            case ARRAY -> node;
            case STRING -> node.textValue();
            case NUMBER -> node.numberValue();
            case BOOLEAN -> node.booleanValue();
            case NULL -> null;
            default -> new Notation.Named("MissingNode"); // what an empty text gives
        };
    }
}
