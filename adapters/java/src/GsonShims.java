import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.MalformedJsonException;
import java.io.EOFException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;

/** Gson. It takes text. */
final class GsonShims {
    private GsonShims() {}

    static Shim make(String way) {
        Gson gson = way.startsWith("strict")
                ? new GsonBuilder().setStrictness(Strictness.STRICT).create()
                : new Gson();
        Shim.Call<String, Object> parse = switch (way) {
            case "tree" -> JsonParser::parseString;
            case "strict" -> text -> gson.fromJson(text, JsonElement.class);
            case "map" -> text -> gson.fromJson(text, Map.class);
            case "object" -> text -> gson.fromJson(text, Object.class);
            case "adapter" -> gson.getAdapter(JsonElement.class)::fromJson;
            case "pojo" -> text -> gson.fromJson(text, Order.class);
            default -> null;
        };
        if (parse == null) {
            return null;
        }
        boolean order = way.endsWith("pojo");
        return new Shim(Map.of("gson", Gson.class), data -> parse.apply(Shim.text(data)),
                order ? Order::view : GsonShims::view,
                order ? null : value -> Shim.bytes(gson.toJson(value)),
                order || way.equals("map") ? GsonShims::stage : error -> null);
    }

    /** Its one error is for both: what is behind it tells. */
    private static String stage(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof MalformedJsonException || cause instanceof EOFException) {
                return "parse";
            }
        }
        return error.getCause() == null ? null : "bind"; // a repeated key of a Map has no cause
    }

    private static Object view(Object value) {
        if (value instanceof JsonObject object) {
            return new Notation.Members(object.entrySet().iterator());
        }
        if (value instanceof JsonPrimitive one) {
            if (one.isBoolean()) {
                return one.getAsBoolean();
            }
            if (one.isString()) {
                return one.getAsString();
            }
            Number number = one.getAsNumber();
            boolean typed = number instanceof Double || number instanceof Integer || number instanceof Long
                    || number instanceof BigInteger || number instanceof BigDecimal;
            return typed ? number : new Notation.Literal(number.toString()); // LazilyParsedNumber
        }
        return value instanceof JsonNull ? null : value; // JsonArray is iterable
    }
}
