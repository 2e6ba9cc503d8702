package dev.wishdir.sauerbraten.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Optional;
import java.util.Random;

class KeyResponderTest {
    private static final SessionMessage.Connect CONNECT =
            new SessionMessage.Connect("ann", 0, "", "", "");
    private static final SessionMessage.ServInfo OPEN =
            new SessionMessage.ServInfo(0, 260, 1, false, "s", "");
    private static final AuthMessage.AuthChal CHALLENGE =
            new AuthMessage.AuthChal(
                    "dom", 4, AuthPrivateKey.generate(new Random(2)).publicKey().toString());

    private static KeyResponder responder(String lines) throws IOException {
        return new KeyResponder(PlayerKeys.parse("auth.cfg", lines));
    }

    private static Optional<SauerbratenMessage> answer(
            KeyResponder responder, SauerbratenMessage message) {
        return responder.answer(0, message);
    }

    @Test
    void readsLinesOfGame() throws IOException {
        PlayerKeys keys =
                PlayerKeys.parse(
                        "auth.cfg",
                        """
                        // saved by the game
                        authkey "ann b" "0403" "dom";
                        authkey gina 0400 other
                        authkey global 03ff
                        bind G [ say "authkey x 0001 dom" ]
                        """);
        assertThat(keys.all())
                .extracting(key -> key.domain() + "/" + key.name() + "/" + key.key().text())
                .containsExactly("dom/ann b/0403", "other/gina/0400", "/global/03ff");
        PlayerKeys.Entry first = keys.find("dom").orElseThrow();
        assertThat(PlayerKeys.line(first)).isEqualTo("authkey \"ann b\" \"0403\" \"dom\"");
        assertThat(first.toString()).as("a log may contain it").doesNotContain("0403");
    }

    @Test
    void refusesFileWithoutKeyAndDoesNotRepeatSecrets() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> PlayerKeys.parse("auth.cfg", "name ann\n"))
                .withMessage("auth.cfg has no line authkey NAME KEY DOMAIN");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> PlayerKeys.parse("auth.cfg", "\nauthkey ann secretword dom\n"))
                .withMessage("auth.cfg line 2: private key must be 4 to 48 hex digits and not 0");
    }

    @Test
    void namesKeyOfServersDomain() throws IOException {
        KeyResponder responder = responder("authkey ann 0403 dom\nauthkey all 0400\n");
        assertThat(answer(responder, OPEN)).isEmpty();
        assertThat(responder.connect(CONNECT)).isEqualTo(CONNECT);

        assertThat(answer(responder, new SessionMessage.ServInfo(0, 260, 1, true, "s", "dom")))
                .isEmpty();
        assertThat(responder.connect(CONNECT))
                .isEqualTo(new SessionMessage.Connect("ann", 0, "", "dom", "ann"));
    }

    @Test
    void claimsAfterJoiningUnlessChallengedBefore() throws IOException {
        KeyResponder responder = responder("authkey ann 0403 dom\n");
        assertThat(answer(responder, OPEN)).isEmpty();
        assertThat(answer(responder, new SessionMessage.Welcome()))
                .contains(new AuthMessage.AuthTry("dom", "ann"));
        assertThat(answer(responder, CHALLENGE)).isPresent();
        assertThat(answer(responder, new SessionMessage.Welcome())).isEmpty();
    }

    @Test
    void answersRequestsForItsDomainsOnly() throws IOException {
        KeyResponder responder = responder("authkey ann 0403 dom\n");
        assertThat(answer(responder, new AuthMessage.ReqAuth("dom")))
                .contains(new AuthMessage.AuthTry("dom", "ann"));
        assertThat(answer(responder, new AuthMessage.ReqAuth("other"))).isEmpty();
        assertThat(answer(responder, new AuthMessage.AuthChal("other", 1, CHALLENGE.challenge())))
                .isEmpty();
        assertThat(responder.concerns(CHALLENGE)).isTrue();
        assertThat(responder.concerns(new AuthMessage.ReqAuth("other"))).isFalse();
    }

    @Test
    @DisplayName("B20 a server that challenges without end gets five answers, then one a second")
    void limitsAnswers() throws IOException {
        KeyResponder responder = responder("authkey ann 0403 dom\n");
        int answers = 0;
        for (int i = 0; i < 1000; i++) {
            answers += answer(responder, CHALLENGE).isPresent() ? 1 : 0;
        }
        assertThat(answers).isEqualTo(5);
        assertThat(answer(responder, new AuthMessage.AuthChal("dom", 1, "+0001"))).isEmpty();
    }
}
