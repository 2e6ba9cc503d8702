package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.Optional;

/** A form for a player to fill in, or the answer. The same in all versions. */
public sealed interface ModalForm extends BedrockMessage {
    /** Maximum size of a form or an answer, bytes. */
    int MAX_FORM_BYTES = 8 << 10;

    /**
     * Shows a form.
     *
     * @param id repeated in the answer
     * @param form its content in JSON
     */
    record ModalFormRequest(int id, String form) implements ModalForm {
        public static final ModalFormRequest BLANK = new ModalFormRequest(0, "");

        public static ModalFormRequest wire(Wire w, ModalFormRequest m) {
            return new ModalFormRequest(
                    Encoding.uvarint(w, "id", m.id),
                    Encoding.text(w, "form", m.form, MAX_FORM_BYTES));
        }
    }

    /**
     * The answer to a form.
     *
     * @param answer in JSON; for a custom form a list with a value for each part; empty if the
     *     player did not submit it
     * @param cancelled the reason that it was not submitted: 0 the player closed it, 1 something
     *     else was open
     */
    record ModalFormResponse(int id, Optional<String> answer, Optional<Integer> cancelled)
            implements ModalForm {
        public static final ModalFormResponse BLANK =
                new ModalFormResponse(0, Optional.empty(), Optional.empty());

        public static ModalFormResponse wire(Wire w, ModalFormResponse m) {
            int id = Encoding.uvarint(w, "id", m.id);
            Optional<String> answer =
                    w.bool("answered", m.answer.isPresent())
                            ? Optional.of(
                                    Encoding.text(w, "answer", m.answer.orElse(""), MAX_FORM_BYTES))
                            : Optional.empty();
            Optional<Integer> cancelled =
                    w.bool("cancelled", m.cancelled.isPresent())
                            ? Optional.of(w.u8("reason", m.cancelled.orElse(0)))
                            : Optional.empty();
            return new ModalFormResponse(id, answer, cancelled);
        }
    }
}
