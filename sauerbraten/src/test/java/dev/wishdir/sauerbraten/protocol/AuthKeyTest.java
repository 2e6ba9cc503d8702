package dev.wishdir.sauerbraten.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.JsonObject;

import dev.wishdir.inspect.capture.Captures;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;

class AuthKeyTest {
    private static final AuthPrivateKey GINA =
            AuthPrivateKey.parse("3f1b341a399e641b29a29694147df8fca399c1083008e847");

    /** Keys that the original client printed for seeds, and challenges that it answered. */
    static List<JsonObject> vectors() {
        return Captures.in("dev/wishdir/sauerbraten/protocol").lines("auth-vectors.jsonl");
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void agreesWithOriginalClient(JsonObject vector) {
        AuthPrivateKey key = AuthPrivateKey.parse(vector.get("private").getAsString());
        AuthPrivateKey secret = AuthPrivateKey.parse(vector.get("secret").getAsString());
        String challenge = vector.get("challenge").getAsString();
        String answer = vector.get("answer").getAsString();

        assertThat(key.text()).isEqualTo(vector.get("private").getAsString());
        assertThat(key.publicKey()).hasToString(vector.get("public").getAsString());
        assertThat(key.answer(challenge)).contains(answer);
        AuthChallenge own =
                secret.challenge(AuthPublicKey.parse(vector.get("public").getAsString()));
        assertThat(own.text()).isEqualTo(challenge);
        assertThat(own.isAnswer(answer)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void hashesSeedAsOriginalClient(JsonObject vector) {
        byte[] seed = vector.get("seed").getAsString().getBytes(StandardCharsets.US_ASCII);
        byte[] hash = Tiger.hash(seed);
        StringBuilder digits = new StringBuilder();
        for (int i = hash.length - 1; i >= 0; i--) {
            digits.append(HexFormat.of().toHexDigits(hash[i]));
        }
        assertThat(digits).hasToString(vector.get("private").getAsString());
    }

    @Test
    void hasGeneratorAsPublicKeyOfOne() {
        String generator = "-188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012";
        String aboveOrder = P192Curve.ORDER.add(BigInteger.ONE).toString(16);
        assertThat(AuthPrivateKey.parse("0001").publicKey()).hasToString(generator);
        assertThat(AuthPrivateKey.parse(aboveOrder).publicKey()).hasToString(generator);
    }

    @Test
    void answersOwnChallenges() {
        Random random = new Random(5);
        for (int i = 0; i < 20; i++) {
            AuthPrivateKey key = AuthPrivateKey.generate(random);
            AuthChallenge challenge = AuthPrivateKey.generate(random).challenge(key.publicKey());
            assertThat(challenge.isAnswer(key.answer(challenge.text()).orElseThrow())).isTrue();
        }
    }

    @Test
    void refusesAnswersOfAllOtherKeys() {
        Random random = new Random(6);
        AuthChallenge challenge = AuthPrivateKey.generate(random).challenge(GINA.publicKey());
        for (int i = 0; i < 100; i++) {
            AuthPrivateKey other = AuthPrivateKey.generate(random);
            assertThat(challenge.isAnswer(other.answer(challenge.text()).orElseThrow())).isFalse();
        }
    }

    @Test
    void comparesNumbersNotTexts() {
        AuthChallenge challenge = AuthPrivateKey.parse("0403").challenge(GINA.publicKey());
        String answer = GINA.answer(challenge.text()).orElseThrow();
        assertThat(challenge.isAnswer("0" + answer.toUpperCase(Locale.ROOT))).isTrue();
        assertThat(challenge.isAnswer(" " + answer)).isFalse();
        assertThat(challenge.isAnswer(answer + "0")).isFalse();
        assertThat(challenge.isAnswer(answer.substring(0, answer.length() - 1))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "0001",
                "+xyz",
                "-0001 ",
                "*0001",
                "+ffffffffffffffffffffffffffffffffffffffffffffffff",
                "+fffffffffffffffffffffffffffffffeffffffffffffffff",
                "+1188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012",
                "+0001"
            })
    @DisplayName("B20 a key or challenge that is no point of the curve is refused")
    void refusesTextThatIsNoPoint(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AuthPublicKey.parse(text))
                .withMessageContaining("is " + text);
        assertThat(GINA.answer(text)).isEmpty();
    }

    @Test
    @DisplayName("B20 an answer of any length and content costs one comparison at most")
    void refusesAnyOtherAnswer() {
        AuthChallenge challenge = AuthPrivateKey.parse("0403").challenge(GINA.publicKey());
        for (String answer :
                List.of("", "-1", "x", "0", "\0", "f".repeat(100_000), "0".repeat(100_000))) {
            assertThat(challenge.isAnswer(answer)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "xyz",
                "$K",
                "0000",
                "-0001",
                "ffffffffffffffffffffffff99def836146bc9b1b4d22831",
                "10000ffffffffffffffffffffffffffffffffffffffffffffffff"
            })
    void refusesPrivateKeyWithoutRevealingIt(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AuthPrivateKey.parse(text))
                .withMessage("private key must be 4 to 48 hex digits and not 0");
        assertThat(GINA).hasToString("private key");
    }
}
