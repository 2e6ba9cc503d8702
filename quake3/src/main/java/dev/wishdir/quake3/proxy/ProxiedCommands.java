package dev.wishdir.quake3.proxy;

import dev.wishdir.quake3.protocol.ReliableCommands;

import java.util.ArrayList;
import java.util.List;

/**
 * The reliable commands of one direction through a proxy, which gives them other numbers once one
 * was dropped, replaced or injected. It then repeats them itself until the receiver acknowledges
 * them, and acknowledges to the sender what the receiver has.
 */
final class ProxiedCommands {
    /** A command as the receiver knows it. */
    record Numbered(int id, String text) {}

    /** Number of unacknowledged commands above which none is injected. */
    static final int MAX_INJECTED = ReliableCommands.SIZE / 2;

    /**
     * Limit of the characters of commands in one message; others wait for the next. With a large
     * snapshot they stay below a message's limit.
     */
    private static final int MAX_MESSAGE_CHARS = 4_000;

    /** Number of unacknowledged commands from which the sender must wait. */
    private static final int FULL = ReliableCommands.SIZE - 16;

    /** As the sender numbers them. */
    private final ReliableCommands received;

    /** As the receiver numbers them. */
    private final ReliableCommands sent;

    /** By the receiver's number: the sender's number that its acknowledgement stands for. */
    private final int[] acknowledgements = new int[ReliableCommands.SIZE];

    private int acknowledged;
    private int acknowledgedToSender;
    private boolean changed;

    ProxiedCommands(ReliableCommands received, ReliableCommands sent) {
        this.received = received;
        this.sent = sent;
    }

    /** Whether the receiver's commands or their numbers differ from the sender's. */
    boolean isChanged() {
        return changed;
    }

    /** Whether a number of the sender is new. */
    boolean isNew(int id) {
        return id > received.last();
    }

    /** Whether no further command fits until the receiver has acknowledged some. */
    boolean isFull() {
        return changed && sent.last() - acknowledged > FULL;
    }

    /** Whether no command may be injected until the receiver has acknowledged some. */
    boolean isCongested() {
        return sent.last() - acknowledged >= MAX_INJECTED;
    }

    /**
     * Adds the sender's next command.
     *
     * @param texts in its place
     */
    void add(int id, String text, List<String> texts) {
        changed |= texts.size() != 1 || !texts.getFirst().equals(text);
        int before = received.last();
        received.receive(id, text);
        if (changed) {
            for (String each : texts) {
                sent.add(each);
                acknowledgements[slot(sent.last())] = before;
            }
        } else {
            sent.receive(id, text);
        }
        acknowledgements[slot(sent.last())] = id;
    }

    /** Adds a command that the sender did not send. */
    void inject(String text) {
        changed = true;
        sent.add(text);
        acknowledgements[slot(sent.last())] = received.last();
    }

    /**
     * Continues after a gamestate, with which the receiver has all commands before it.
     *
     * @return its command number for the receiver
     */
    int skipTo(int number) {
        int skipped = Math.max(0, number - received.last());
        received.skipTo(received.last() + skipped);
        sent.skipTo(sent.last() + skipped);
        acknowledgements[slot(sent.last())] = received.last();
        return sent.last();
    }

    /** Whether the receiver may acknowledge a number. */
    boolean isValid(int number) {
        return number >= acknowledged && number <= sent.last();
    }

    /** The receiver has acknowledged a number, in its own numbers. */
    void acknowledge(int number) {
        acknowledged = number;
        acknowledgedToSender = Math.max(acknowledgedToSender, acknowledgements[slot(number)]);
    }

    /** Last command that the receiver has acknowledged, in the sender's numbers. */
    int acknowledgedToSender() {
        return acknowledgedToSender;
    }

    /** The commands that the receiver has not acknowledged, as many as fit into a message. */
    List<Numbered> unacknowledged() {
        List<Numbered> commands = new ArrayList<>();
        int chars = 0;
        for (int id = acknowledged + 1; id <= sent.last(); id++) {
            String text = sent.text(id);
            chars += text.length() + 8;
            if (chars > MAX_MESSAGE_CHARS) {
                break;
            }
            commands.add(new Numbered(id, text));
        }
        return commands;
    }

    private static int slot(int number) {
        return number & ReliableCommands.SIZE - 1;
    }
}
