package dev.wishdir.bedrock.server.join;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.ModalForm.ModalFormRequest;
import dev.wishdir.bedrock.message.ModalForm.ModalFormResponse;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.protocol.login.Json;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.net.limit.AddressLimits;

import org.jose4j.json.JsonUtil;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Prompts one client for the server's password before its player joins: by a form of the game, and
 * by chat for clients without forms.
 */
final class PasswordPrompt {
    /** The result of an answer. */
    sealed interface Outcome {}

    /** There is no answer yet, or a wrong one with tries left. */
    record NotAnswered() implements Outcome {}

    /** The password is right. */
    record Right() implements Outcome {}

    /** The client has to be disconnected. */
    record Failed(LeaveReason why) implements Outcome {}

    private static final NotAnswered WAITING = new NotAnswered();
    private static final long ANSWER_TIMEOUT_NANOS = 60_000_000_000L;
    private static final long RETRY_NANOS = 1_000_000_000L;
    private static final int TRIES = 3;
    private static final String QUESTION =
            "This server has a password: type it into the form, or say it here.";

    private final Predicate<String> isPassword;
    private final AddressLimits addressLimits;
    private final InetAddress from;
    private final Consumer<BedrockMessage> output;
    private final long begun;
    private long askAt = Long.MAX_VALUE;
    private int form;
    private int wrong;

    /**
     * Sends the first prompt.
     *
     * @param isPassword whether an answer is the password
     * @param from the client's address, by which wrong answers are counted
     * @param output takes the messages to the client
     */
    PasswordPrompt(
            long now,
            Predicate<String> isPassword,
            AddressLimits addressLimits,
            InetAddress from,
            Consumer<BedrockMessage> output) {
        this.isPassword = isPassword;
        this.addressLimits = addressLimits;
        this.from = from;
        this.output = output;
        begun = now;
        output.accept(Text.system(QUESTION));
        ask();
    }

    private void ask() {
        askAt = Long.MAX_VALUE;
        String label =
                wrong == 0
                        ? "This server has a password."
                        : "Wrong password: " + (TRIES - wrong) + " tries left.";
        Map<String, Object> input = new LinkedHashMap<>();
        input.put("type", "input");
        input.put("text", label);
        input.put("placeholder", "password");
        input.put("default", "");
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("type", "custom_form");
        shown.put("title", "Password");
        shown.put("content", List.of(input));
        output.accept(new ModalFormRequest(++form, JsonUtil.toJson(shown)));
    }

    /** Handles a message of the client; one that is not an answer is ignored. */
    Outcome handle(long now, BedrockMessage message) {
        return switch (message) {
            case Text said when said.type() == Text.CHAT -> answer(now, said.message());
            case ModalFormResponse response when response.id() == form -> {
                Optional<String> typed = response.answer().flatMap(PasswordPrompt::typed);
                if (typed.isEmpty()) {
                    // Something else was open, or it was closed: it is shown again.
                    askAt = now + RETRY_NANOS;
                    yield WAITING;
                }
                yield answer(now, typed.get());
            }
            default -> WAITING;
        };
    }

    private static Optional<String> typed(String answer) {
        try {
            return Json.parse("{\"typed\":" + answer + "}").get("typed") instanceof List<?> values
                            && !values.isEmpty()
                            && values.getFirst() instanceof String text
                    ? Optional.of(text)
                    : Optional.empty();
        } catch (LoginRejectedException e) {
            return Optional.empty();
        }
    }

    private Outcome answer(long now, String text) {
        if (!addressLimits.passwords().isAllowed(now, from)) {
            return new Failed(LeaveReason.of(LeaveReason.Code.PASSWORD_LIMIT));
        }
        if (isPassword.test(text)) {
            return new Right();
        }
        addressLimits.passwords().recordFailure(now, from);
        if (++wrong == TRIES) {
            return new Failed(LeaveReason.of(LeaveReason.Code.PASSWORD));
        }
        output.accept(Text.system("Wrong password: " + (TRIES - wrong) + " tries left."));
        ask();
        return WAITING;
    }

    /** Checks the time-out, and shows a closed form again. */
    Outcome advance(long now) {
        if (now - begun >= ANSWER_TIMEOUT_NANOS) {
            return new Failed(
                    new LeaveReason(
                            LeaveReason.Code.TIMED_OUT, "No password came within a minute"));
        }
        if (now >= askAt) {
            ask();
        }
        return WAITING;
    }

    /** Time of the next call of {@link #advance}, nanoseconds. */
    long deadline() {
        return Math.min(askAt, begun + ANSWER_TIMEOUT_NANOS);
    }
}
