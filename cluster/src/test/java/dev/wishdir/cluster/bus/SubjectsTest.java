package dev.wishdir.cluster.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.cluster.bus.Subjects.Address;
import dev.wishdir.cluster.bus.Subjects.Kind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectsTest {
    private final Subjects subjects = new Subjects("arena-1");

    @Test
    void endsWithTheNodeThatPublishes() {
        assertThat(subjects.toAll(Kind.MOVE, 7)).isEqualTo("wishdir.arena-1.move.7");
        assertThat(subjects.toNode(Kind.ASK, 12, 7)).isEqualTo("wishdir.arena-1.ask.12.7");
        assertThat(subjects.fromAll(Kind.EVENT)).isEqualTo("wishdir.arena-1.event.*");
        assertThat(subjects.forNode(Kind.TELL, 12)).isEqualTo("wishdir.arena-1.tell.12.*");
    }

    @Test
    void parsesWhatItMakes() {
        assertThat(subjects.parse(subjects.toAll(Kind.EVENT, 7)))
                .isEqualTo(new Address(Kind.EVENT, 0, 7));
        assertThat(subjects.parse(subjects.toNode(Kind.ANSWER, 12, 7)))
                .isEqualTo(new Address(Kind.ANSWER, 12, 7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "wishdir.other.move.7",
                "wishdir.arena-1.",
                "wishdir.arena-1.move",
                "wishdir.arena-1.move.",
                "wishdir.arena-1.move.7.8",
                "wishdir.arena-1.ask.7",
                "wishdir.arena-1.move.07",
                "wishdir.arena-1.move.0",
                "wishdir.arena-1.move.1",
                "wishdir.arena-1.move.-7",
                "wishdir.arena-1.move.1073741824",
                "wishdir.arena-1.move.99999999999999999999",
                "wishdir.arena-1.move.٧",
                "wishdir.arena-1.fly.7"
            })
    void parsesNothingElse(String subject) {
        assertThat(subjects.parse(subject)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "*", ">", "A", "a b", "abcdefghijklmnopqrstuvwxyz0123456"})
    void refusesNamesThatAreNoToken(String name) {
        assertThatThrownBy(() -> new Subjects(name)).hasMessageContaining("\"" + name + "\"");
    }
}
