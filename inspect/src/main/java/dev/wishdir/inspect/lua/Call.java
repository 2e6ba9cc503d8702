package dev.wishdir.inspect.lua;

import dev.wishdir.inspect.lua.Value.Known;
import dev.wishdir.inspect.lua.Value.Packet;

import org.jspecify.annotations.Nullable;

import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * A call of a method.
 *
 * @param target the object; null for a static method
 */
record Call(
        Class<?> owner,
        String name,
        MethodTypeDesc type,
        @Nullable Value target,
        List<Value> arguments) {
    /** Whether the result can be computed now. */
    boolean isKnown() {
        return (target == null || target instanceof Known)
                && arguments.stream().allMatch(Known.class::isInstance);
    }

    boolean takesPacket() {
        return target instanceof Packet || arguments.stream().anyMatch(Packet.class::isInstance);
    }

    /** The result of a known call, with another object. */
    @Nullable Object result(@Nullable Object object) {
        List<@Nullable Object> known = new ArrayList<>();
        arguments.forEach(argument -> known.add(((Known) argument).object()));
        return Reflected.call(owner, name, type, object, known);
    }
}
