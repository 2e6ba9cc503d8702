package dev.wishdir.bedrock.inspect;

import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The fields of one message, in order, by the names of the inspector's lines. */
final class FieldMap {
    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    private final Dialect dialect;

    FieldMap(Dialect dialect) {
        this.dialect = dialect;
    }

    Dialect dialect() {
        return dialect;
    }

    boolean has(ProtocolChange change) {
        return dialect.has(change);
    }

    Map<String, @Nullable Object> map() {
        return fields;
    }

    FieldMap put(String name, @Nullable Object value) {
        fields.put(name, value);
        return this;
    }

    FieldMap putIf(ProtocolChange change, String name, @Nullable Object value) {
        return dialect.has(change) ? put(name, value) : this;
    }

    FieldMap putUnless(ProtocolChange change, String name, @Nullable Object value) {
        return dialect.has(change) ? this : put(name, value);
    }

    <T> FieldMap putIfThere(String name, Optional<T> value, Function<T, @Nullable Object> form) {
        value.ifPresent(there -> put(name, form.apply(there)));
        return this;
    }

    /** An unsigned 64-bit number. */
    static Object unsigned(long value) {
        return value >= 0 ? (Object) value : new BigInteger(Long.toUnsignedString(value));
    }

    static List<Double> vector(Vec3f v) {
        return List.of((double) v.x(), (double) v.y(), (double) v.z());
    }

    static List<Double> vector(Vec2f v) {
        return List.of((double) v.x(), (double) v.y());
    }

    static List<Integer> position(BlockPos p) {
        return List.of(p.x(), p.y(), p.z());
    }

    static double degrees(int angle) {
        return angle * 360 / 256.0;
    }

    static List<List<Object>> experiments(List<PackMessage.Experiment> experiments) {
        return experiments.stream().map(e -> List.<Object>of(e.name(), e.enabled())).toList();
    }
}
