import com.alibaba.fastjson2.annotation.JSONField;
import com.fasterxml.jackson.annotation.JsonAlias;
import com.google.gson.annotations.SerializedName;
import com.squareup.moshi.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/** The declared target `order` (docs/binding.md): a bean. What a field holds before, no text can put there. */
public class Order {
    private static final String NO_TEXT = new String("not given"); // told by identity
    private static final Integer NO_NUMBER = Integer.valueOf(Integer.MIN_VALUE);
    private static final Options NO_OPTIONS = new Options();

    public String target = NO_TEXT;

    @JsonAlias("qty")
    @SerializedName(value = "quantity", alternate = "qty")
    @JSONField(alternateNames = "qty")
    @Json(name = "qty") // Moshi has one name for a field
    public Integer quantity = NO_NUMBER;

    public Options options = NO_OPTIONS;

    /** The nested target. */
    public static class Options {
        public String mode = NO_TEXT;
        public Integer limit = NO_NUMBER;
    }

    /** One that holds values before the text comes: `order-onto`. */
    static Order populated() {
        Order order = new Order();
        order.target = "kept";
        order.quantity = 1;
        order.options = new Options();
        order.options.mode = "kept";
        order.options.limit = 9;
        return order;
    }

    /** The members that the destination received, under its own names; any other value as it is. */
    static Object view(Object value) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (value instanceof Order order) {
            keep(members, "target", order.target);
            keep(members, "quantity", order.quantity);
            keep(members, "options", order.options);
        } else if (value instanceof Options options) {
            keep(members, "mode", options.mode);
            keep(members, "limit", options.limit);
        } else {
            return value;
        }
        return members;
    }

    private static void keep(Map<String, Object> members, String name, Object value) {
        if (value != NO_TEXT && value != NO_NUMBER && value != NO_OPTIONS) {
            members.put(name, value);
        }
    }
}
