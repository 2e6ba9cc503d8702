package dev.wishdir.nethernet;

import dev.wishdir.net.Overdue;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * One side of an association of SCTP (RFC 9260) over DTLS (RFC 8261), with messages that may be
 * given up (RFC 3758) and streams that are reset (RFC 6525) as data channels need them. A pure
 * state machine. Both sides may begin at once.
 */
final class SctpAssociation {
    /** Whom it tells what happens; called inside its own calls. */
    interface Listener {
        /** A packet is to be sent; the array is used again after the call. */
        void emit(byte[] packet, int offset, int length);

        /** Messages may be sent. */
        void established();

        /** A message came in; the array is the listener's. */
        void message(int stream, int kind, byte[] message);

        /** The other side ends some of its streams. */
        void reset();

        /** It is over. */
        void ended(NetherNetPeer.Ending ending, String reason);
    }

    private static final int STREAMS = 1024;
    private static final int FORWARD_TSN_SUPPORTED = 0xC000;
    private static final int SUPPORTED_EXTENSIONS = 0x8008;
    private static final int STATE_COOKIE = 7;
    private static final int RESET_OUTGOING = 13;
    private static final int RESET_RESPONSE = 16;
    private static final int RESET_PERFORMED = 1;
    private static final int RESET_IN_PROGRESS = 6;
    private static final int USER_INITIATED_ABORT = 12;
    private static final int INIT_LENGTH = 16 + 4 + 8;
    private static final int COOKIE_FIELDS = 16;
    private static final int COOKIE = COOKIE_FIELDS + 32;
    private static final int LARGEST_COOKIE = 1024;
    private static final int TAGGED_BY_SENDER = 1;

    private static final long FIRST_TRY = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LAST_TRY = TimeUnit.SECONDS.toNanos(1);
    private static final long ACK_DELAY = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int MOST_EXPIRED = 12;

    private enum State {
        WAITING,
        COOKIE_WAIT,
        COOKIE_ECHOED,
        ESTABLISHED,
        OVER
    }

    private final Listener listener;
    private final SctpSender sender;
    private final SctpReceiver receiver;
    private final Overdue overdue;
    private final int tag;
    private final int first;
    private final int window;
    private final byte[] secret = new byte[16];
    private final Writer writer = new Writer(SctpPacket.LARGEST);
    private final ArrayDeque<byte[]> control = new ArrayDeque<>();
    private State state = State.WAITING;
    private int peerTag;
    private byte @Nullable [] cookie;
    private long due = Long.MAX_VALUE;
    private long interval = FIRST_TRY;
    private long ackDue = Long.MAX_VALUE;
    private int unacknowledged;
    private long now;

    /**
     * @param window the receive window, bytes
     * @param largestMessage the most bytes of a message that comes in
     * @param patience how long the other side may go on without acknowledging anything
     */
    SctpAssociation(
            int window,
            int largestMessage,
            long patience,
            RandomGenerator random,
            Listener listener) {
        this.listener = listener;
        this.window = window;
        random.nextBytes(secret);
        int drawn = random.nextInt();
        tag = drawn == 0 ? 1 : drawn;
        first = random.nextInt();
        sender = new SctpSender(first);
        receiver = new SctpReceiver(window, largestMessage, this::deliver);
        overdue = new Overdue(patience);
    }

    private void deliver(int stream, int kind, byte[] message) {
        if (state != State.OVER) {
            listener.message(stream, kind, message);
        }
    }

    /** Begins the association, unless the other side did. */
    void begin(long now) {
        this.now = now;
        if (state == State.WAITING) {
            state = State.COOKIE_WAIT;
            interval = FIRST_TRY;
            init();
        }
    }

    /** Grants another receive window. */
    void window(int bytes) {
        receiver.window(bytes);
    }

    /** The heap of what came in and is incomplete or behind a gap. */
    int received() {
        return receiver.held();
    }

    /** The heap of what waits to be sent or acknowledged. */
    long queued() {
        return sender.held();
    }

    boolean idle() {
        return sender.idle();
    }

    long roundTrip() {
        return sender.roundTrip();
    }

    /**
     * Queues a message; the array is given away.
     *
     * @param unreliable whether it is unordered and sent once
     */
    void send(int stream, int kind, boolean unreliable, byte[] message) {
        if (state != State.OVER) {
            sender.send(stream, kind, unreliable, message);
        }
    }

    /** Ends the association: the other side is told once. */
    void abort() {
        if (state == State.ESTABLISHED) {
            SctpPacket.begin(writer, peerTag);
            SctpPacket.chunk(writer, SctpPacket.ABORT, 0, 4);
            writer.u16be("cause", USER_INITIATED_ABORT);
            writer.u16be("cause length", 4);
            emit();
        }
        close();
    }

    private void close() {
        state = State.OVER;
        due = Long.MAX_VALUE;
        ackDue = Long.MAX_VALUE;
        sender.drop();
        control.clear();
    }

    private void end(NetherNetPeer.Ending ending, String reason) {
        if (state != State.OVER) {
            close();
            listener.ended(ending, reason);
        }
    }

    private void violated(String reason) {
        abort();
        listener.ended(NetherNetPeer.Ending.VIOLATION, reason);
    }

    private void emit() {
        SctpPacket.finish(writer);
        listener.emit(writer.array(), 0, writer.position());
    }

    private void init() {
        SctpPacket.begin(writer, 0);
        SctpPacket.chunk(writer, SctpPacket.INIT, 0, INIT_LENGTH);
        parameters();
        emit();
        due = now + interval;
    }

    private void parameters() {
        writer.i32be("tag", tag);
        writer.i32be("window", window);
        writer.u16be("outgoing streams", STREAMS);
        writer.u16be("incoming streams", STREAMS);
        writer.i32be("TSN", first);
        writer.u16be("parameter", FORWARD_TSN_SUPPORTED);
        writer.u16be("parameter length", 4);
        writer.u16be("parameter", SUPPORTED_EXTENSIONS);
        writer.u16be("parameter length", 6);
        writer.u8("extension", SctpPacket.RE_CONFIG);
        writer.u8("extension", SctpPacket.FORWARD_TSN);
        SctpPacket.pad(writer);
    }

    /**
     * Takes in a packet.
     *
     * @throws MalformedPacketException if it has no valid form: it is dropped
     */
    void receive(long now, byte[] data) {
        this.now = now;
        SctpPacket packet = SctpPacket.read(data);
        boolean acknowledges = false;
        for (SctpPacket.Chunk chunk : packet.chunks()) {
            if (state == State.OVER) {
                return;
            }
            if (chunk.type() == SctpPacket.INIT) {
                if (packet.tag() == 0 && packet.chunks().size() == 1) {
                    answerInit(new Reader(chunk.body()));
                }
                return;
            }
            boolean ours = packet.tag() == tag;
            boolean reflected =
                    (chunk.type() == SctpPacket.ABORT
                                    || chunk.type() == SctpPacket.SHUTDOWN_COMPLETE)
                            && (chunk.flags() & TAGGED_BY_SENDER) != 0
                            && peerTag != 0
                            && packet.tag() == peerTag;
            if (!ours && !reflected) {
                throw new MalformedPacketException(4, "tag", "is another association's");
            }
            if (chunk.type() == SctpPacket.DATA && state == State.ESTABLISHED) {
                acknowledges = true;
            }
            if (!take(chunk)) {
                break;
            }
        }
        if (acknowledges && state == State.ESTABLISHED) {
            // Every second packet, or a little later.
            if (++unacknowledged >= 2) {
                ackDue = now;
            } else {
                ackDue = Math.min(ackDue, now + ACK_DELAY);
            }
        }
        if (state == State.ESTABLISHED && overdue.heard(now, !sender.idle(), sender.progress())) {
            abort();
            listener.ended(
                    NetherNetPeer.Ending.NOT_ACKNOWLEDGING,
                    "it does not acknowledge what it is sent");
        }
    }

    /** Takes in a chunk; false if the rest of the packet is not to be looked at. */
    private boolean take(SctpPacket.Chunk chunk) {
        Reader r = new Reader(chunk.body());
        switch (chunk.type()) {
            case SctpPacket.DATA -> {
                if (state == State.ESTABLISHED) {
                    data(chunk.flags(), r);
                }
            }
            case SctpPacket.INIT_ACK -> initAnswered(r);
            case SctpPacket.COOKIE_ECHO -> cookieEchoed(chunk.body());
            case SctpPacket.COOKIE_ACK -> {
                if (state == State.COOKIE_ECHOED) {
                    established();
                }
            }
            case SctpPacket.SACK -> {
                if (state == State.ESTABLISHED) {
                    sender.acknowledged(now, r);
                }
            }
            case SctpPacket.HEARTBEAT -> {
                if (chunk.body().length() <= SctpPacket.LARGEST / 2) {
                    reply(SctpPacket.HEARTBEAT_ACK, chunk.body().toArray());
                }
            }
            case SctpPacket.ABORT ->
                    end(NetherNetPeer.Ending.LEFT, "the other side aborted the association");
            case SctpPacket.SHUTDOWN -> {
                if (state == State.ESTABLISHED) {
                    reply(SctpPacket.SHUTDOWN_ACK, new byte[0]);
                    flushControl();
                    end(NetherNetPeer.Ending.LEFT, "the other side shut the association down");
                }
            }
            case SctpPacket.SHUTDOWN_ACK -> {
                reply(SctpPacket.SHUTDOWN_COMPLETE, new byte[0]);
                flushControl();
                end(NetherNetPeer.Ending.LEFT, "the association is shut down");
            }
            case SctpPacket.RE_CONFIG -> {
                if (state == State.ESTABLISHED) {
                    reconfigure(r);
                }
            }
            case SctpPacket.FORWARD_TSN -> {
                if (state == State.ESTABLISHED) {
                    forward(r);
                }
            }
            default -> {
                // The first bit of a kind says whether those who don't know it go on.
                return (chunk.type() & 0x80) != 0;
            }
        }
        return true;
    }

    private void data(int flags, Reader r) {
        try {
            if (!receiver.data(flags, r) || (flags & 8) != 0) {
                ackDue = now;
            }
        } catch (MalformedPacketException e) {
            if (state != State.OVER) {
                violated(String.valueOf(e.getMessage()));
            }
        }
    }

    private void forward(Reader r) {
        try {
            receiver.forward(r.i32be("TSN", 0));
            ackDue = now;
        } catch (MalformedPacketException e) {
            if (state != State.OVER) {
                violated(String.valueOf(e.getMessage()));
            }
        }
    }

    private void reply(int type, byte[] body) {
        Writer w = new Writer(SctpPacket.LARGEST);
        SctpPacket.chunk(w, type, 0, body.length);
        w.append(body, 0, body.length);
        SctpPacket.pad(w);
        if (control.size() < 16) {
            control.add(w.toByteArray());
        }
    }

    private void answerInit(Reader r) {
        int theirTag = r.i32be("tag", 0);
        int theirWindow = r.i32be("window", 0);
        r.u16be("outgoing streams", 0);
        r.u16be("incoming streams", 0);
        int theirFirst = r.i32be("TSN", 0);
        if (theirTag == 0 || state == State.ESTABLISHED && theirTag != peerTag) {
            return;
        }
        boolean abandons = parameter(r, FORWARD_TSN_SUPPORTED) != null;
        Writer fields = new Writer(COOKIE_FIELDS);
        fields.i32be("tag", theirTag);
        fields.i32be("window", theirWindow);
        fields.i32be("TSN", theirFirst);
        fields.i32be("abandons", abandons ? 1 : 0);
        byte[] signed = fields.toByteArray();
        SctpPacket.begin(writer, theirTag);
        SctpPacket.chunk(writer, SctpPacket.INIT_ACK, 0, INIT_LENGTH + 4 + COOKIE);
        parameters();
        writer.u16be("parameter", STATE_COOKIE);
        writer.u16be("parameter length", 4 + COOKIE);
        writer.append(signed, 0, signed.length);
        byte[] signature = signature(signed);
        writer.append(signature, 0, signature.length);
        emit();
    }

    private byte[] signature(byte[] fields) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(fields);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HMAC-SHA256", e);
        }
    }

    /** The content of a parameter among those that follow, null if it is not there. */
    private static @Nullable Bytes parameter(Reader r, int wanted) {
        Bytes found = null;
        while (r.remaining() >= 4) {
            int type = r.u16be("parameter", 0);
            int at = r.position();
            int length = r.u16be("parameter length", 0) - 4;
            if (length < 0) {
                throw new MalformedPacketException(at, "parameter length", "is too small");
            }
            Bytes content = r.bytes("parameter", Bytes.EMPTY, length);
            r.bytes("padding", Bytes.EMPTY, Math.min(-length & 3, r.remaining()));
            if (type == wanted) {
                found = content;
            }
        }
        return found;
    }

    private void initAnswered(Reader r) {
        if (state != State.COOKIE_WAIT) {
            return;
        }
        int theirTag = r.i32be("tag", 0);
        int theirWindow = r.i32be("window", 0);
        r.u16be("outgoing streams", 0);
        r.u16be("incoming streams", 0);
        int theirFirst = r.i32be("TSN", 0);
        int mark = r.position();
        Bytes rest = r.rest("parameters", Bytes.EMPTY, SctpPacket.LARGEST * 2);
        Bytes echoed = parameter(new Reader(rest), STATE_COOKIE);
        if (theirTag == 0 || echoed == null || echoed.length() > LARGEST_COOKIE) {
            throw new MalformedPacketException(mark, "cookie", "is missing or too long");
        }
        boolean abandons = parameter(new Reader(rest), FORWARD_TSN_SUPPORTED) != null;
        peer(theirTag, theirWindow, theirFirst, abandons);
        cookie = echoed.toArray();
        state = State.COOKIE_ECHOED;
        interval = FIRST_TRY;
        echo();
    }

    private void peer(int theirTag, int theirWindow, int theirFirst, boolean abandons) {
        peerTag = theirTag;
        sender.begin(theirWindow < 0 ? Integer.MAX_VALUE : theirWindow, abandons);
        receiver.begin(theirFirst);
    }

    private void echo() {
        byte[] echoed = cookie;
        if (echoed != null) {
            SctpPacket.begin(writer, peerTag);
            SctpPacket.chunk(writer, SctpPacket.COOKIE_ECHO, 0, echoed.length);
            writer.append(echoed, 0, echoed.length);
            SctpPacket.pad(writer);
            emit();
            due = now + interval;
        }
    }

    private void cookieEchoed(Bytes echoed) {
        if (echoed.length() != COOKIE) {
            throw new MalformedPacketException(0, "cookie", "is none of ours");
        }
        byte[] fields = echoed.slice(0, COOKIE_FIELDS).toArray();
        byte[] signature = echoed.slice(COOKIE_FIELDS, COOKIE - COOKIE_FIELDS).toArray();
        if (!MessageDigest.isEqual(signature, signature(fields))) {
            throw new MalformedPacketException(0, "cookie", "is not signed by us");
        }
        Reader r = new Reader(fields);
        int theirTag = r.i32be("tag", 0);
        int theirWindow = r.i32be("window", 0);
        int theirFirst = r.i32be("TSN", 0);
        boolean abandons = r.i32be("abandons", 0) != 0;
        if (peerTag != 0 && theirTag != peerTag) {
            return;
        }
        if (state != State.ESTABLISHED && peerTag == 0) {
            peer(theirTag, theirWindow, theirFirst, abandons);
        }
        reply(SctpPacket.COOKIE_ACK, new byte[0]);
        if (state != State.ESTABLISHED) {
            established();
        }
    }

    private void established() {
        state = State.ESTABLISHED;
        cookie = null;
        due = Long.MAX_VALUE;
        listener.established();
    }

    private void reconfigure(Reader r) {
        List<byte[]> answers = new ArrayList<>();
        boolean reset = false;
        while (r.remaining() >= 4 && answers.size() < 2) {
            int type = r.u16be("parameter", 0);
            int length = Math.max(0, r.u16be("parameter length", 0) - 4);
            int mark = r.narrow("parameter", length);
            if (type == RESET_OUTGOING) {
                int request = r.i32be("request", 0);
                r.i32be("response", 0);
                boolean complete = r.i32be("last TSN", 0) - receiver.cumulative() <= 0;
                reset |= complete;
                Writer w = new Writer(12);
                w.u16be("parameter", RESET_RESPONSE);
                w.u16be("parameter length", 12);
                w.i32be("request", request);
                w.i32be("result", complete ? RESET_PERFORMED : RESET_IN_PROGRESS);
                answers.add(w.toByteArray());
            }
            r.widen(mark);
            r.bytes("padding", Bytes.EMPTY, Math.min(-length & 3, r.remaining()));
        }
        for (byte[] answer : answers) {
            reply(SctpPacket.RE_CONFIG, answer);
        }
        if (reset) {
            flushControl();
            listener.reset();
        }
    }

    private void flushControl() {
        while (!control.isEmpty() && peerTag != 0) {
            SctpPacket.begin(writer, peerTag);
            byte[] chunk = control.remove();
            writer.append(chunk, 0, chunk.length);
            emit();
        }
    }

    /** Does what time brings about, sends what waits, and returns when to call again. */
    long advance(long now) {
        this.now = now;
        if (now >= due) {
            interval = Math.min(2 * interval, LAST_TRY);
            if (state == State.COOKIE_WAIT) {
                init();
            } else {
                echo();
            }
        }
        if (state != State.ESTABLISHED) {
            return due;
        }
        sender.expire(now);
        if (sender.expired() > MOST_EXPIRED) {
            abort();
            listener.ended(NetherNetPeer.Ending.TIMED_OUT, "nothing it was sent came to it");
            return Long.MAX_VALUE;
        }
        flush();
        return Math.min(ackDue, sender.deadline());
    }

    private void flush() {
        while (true) {
            SctpPacket.begin(writer, peerTag);
            while (!control.isEmpty() && control.element().length <= writer.remaining()) {
                byte[] chunk = control.remove();
                writer.append(chunk, 0, chunk.length);
            }
            boolean owes = ackDue != Long.MAX_VALUE;
            int before = writer.position();
            if (owes) {
                receiver.acknowledge(writer);
            }
            int mark = writer.position();
            sender.fill(now, writer);
            if (writer.position() == mark && owes && ackDue > now) {
                // Nothing to go with, and not due for itself.
                writer.truncate(before);
                owes = false;
            }
            if (writer.position() == SctpPacket.HEADER) {
                return;
            }
            if (owes) {
                ackDue = Long.MAX_VALUE;
                unacknowledged = 0;
            }
            emit();
        }
    }
}
