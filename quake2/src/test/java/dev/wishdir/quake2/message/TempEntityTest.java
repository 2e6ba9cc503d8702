package dev.wishdir.quake2.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Traced;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Collections;

class TempEntityTest {
    /** The names are those of {@code inspect --explain}; types that are not described have none. */
    @ParameterizedTest
    @CsvSource({
        "1, blood",
        "14, armour sparks of bullets",
        "15, laser sparks",
        "18, grenade explosion in liquid",
        "20, BFG effect at a body",
        "21, BFG explosion",
        "23, BFG laser",
        "24, 24",
        "5, 5"
    })
    void isNamedInAnExplanation(int type, String name) {
        int values = TempEntity.SHAPES.get(type).length() * 3;
        Writer w = new Writer(64);
        TempEntity.wire(w, new TempEntity(type, Collections.nCopies(values, 1)));
        Tracer tracer = new Tracer(w.toBytes());
        TempEntity.wire(tracer, TempEntity.BLANK);
        assertThat(tracer.fields().getFirst()).extracting(Traced::name).isEqualTo("type");
        assertThat(tracer.fields().getFirst().meaning()).isEqualTo(name);
    }
}
