package dev.wishdir.inspect.lua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.dissect.StatelessWalk;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** What a walk becomes; that it dissects, interop's WiresharkIT shows with tshark. */
final class LuaScriptTest {
    record Item(int size, Bytes rest) {
        static final Item BLANK = new Item(3, Bytes.EMPTY);

        static Item wire(Wire w, Item m, boolean big) {
            int size = big ? w.u16be("size", m.size) : w.u16le("size", m.size);
            if (w.tracing()) {
                w.annotate(size / 4.0 + " units \"\n");
            }
            return new Item(size, w.bytes("rest", m.rest, w.bounded("size", size, 100)));
        }

        static void unknown(Wire w) {
            byte[] bytes = w.bytes("bytes", Bytes.EMPTY, 4).toArray();
            if (bytes[0] == 3) {
                w.u8("three", 0);
            }
        }
    }

    private static String script(String method, Object... arguments) {
        return LuaScript.of(
                List.of(new StatelessWalk("test", "item", Item.class, method, List.of(arguments))),
                Map.of(),
                "-- end\n");
    }

    @Test
    void computesWhatIsKnownBeforeAPacket() {
        String script = script("wire", Item.BLANK, true);

        assertThat(script)
                .contains("field(\"test\", \"size\", \"u16\", \"size\")")
                .contains("field(\"test\", \"rest\", \"bytes\", \"rest\")")
                .contains("w:u16be(\"size\")")
                .contains("w:annotate((double_text((s0 / 4.0)) .. \" units \\034\\010\"))")
                .contains("w:bounded(\"size\", l3, 100)")
                .contains("walks.item = F.")
                .doesNotContain("u16le(\"size\")")
                .endsWith("-- end\n");
    }

    @Test
    void refusesWhatHasNoCounterpartInLua() {
        assertThatThrownBy(() -> script("unknown"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Item.unknown");
        assertThatThrownBy(() -> script("missing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("missing");
    }
}
