package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.bool;
import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.string;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.SequencedMap;

/** Demos (recordings) on the server. */
public sealed interface DemoMessage extends SauerbratenMessage {
    /** Maximum size of a demo, bytes. */
    int MAX_FILE = 32 << 20;

    /** {@code N_LISTDEMOS}: the client requests the list of demos. */
    record ListDemos() implements DemoMessage {
        public static final ListDemos BLANK = new ListDemos();

        public static ListDemos wire(Wire w, ListDemos m) {
            return BLANK;
        }
    }

    /** {@code N_SENDDEMOLIST}: the demos, oldest first. */
    record SendDemoList(List<String> demos) implements DemoMessage {
        public static final SendDemoList BLANK = new SendDemoList(List.of());

        public static SendDemoList wire(Wire w, SendDemoList m) {
            return new SendDemoList(
                    CubeWire.counted(
                            w, "demos", CubeWire.MAX_LIST, m.demos, "", SendDemoList::demo));
        }

        private static String demo(Wire w, String m) {
            return string(w, "demo", m);
        }

        public SendDemoList {
            demos = List.copyOf(demos);
        }
    }

    /**
     * {@code N_GETDEMO}: the client requests a demo.
     *
     * @param demo counted from 1; 0 is the newest
     * @param tag returned with the answer; 0 in protocol 259, which has none
     */
    record GetDemo(int demo, int tag) implements DemoMessage {
        public static final GetDemo BLANK = new GetDemo(0, 0);

        public static GetDemo wire(Wire w, GetDemo m) {
            int demo = integer(w, "demo", m.demo);
            int tag = integer(w, "tag", m.tag);
            return new GetDemo(demo, tag);
        }

        /** The walk of protocol 259: without a tag. */
        public static GetDemo wire259(Wire w, GetDemo m) {
            return new GetDemo(integer(w, "demo", m.demo), 0);
        }
    }

    /**
     * {@code N_SENDDEMO}, on channel 2: a demo.
     *
     * @param tag of the request; 0 in protocol 259, which has none
     * @param file the .dmo file
     */
    record SendDemo(int tag, Bytes file) implements DemoMessage {
        public static final SendDemo BLANK = new SendDemo(0, Bytes.EMPTY);

        public static SendDemo wire(Wire w, SendDemo m) {
            int tag = integer(w, "tag", m.tag);
            Bytes file = w.rest("file", m.file, MAX_FILE);
            return new SendDemo(tag, file);
        }

        /** The walk of protocol 259: without a tag. */
        public static SendDemo wire259(Wire w, SendDemo m) {
            return new SendDemo(0, w.rest("file", m.file, MAX_FILE));
        }

        @Override
        public SequencedMap<String, Object> fields() {
            SequencedMap<String, Object> fields = Fields.ofFile(file);
            fields.putFirst("tag", tag);
            return fields;
        }
    }

    /** {@code N_DEMOPLAYBACK}: the server starts or stops playing a demo. */
    record DemoPlayback(boolean on, int cn) implements DemoMessage {
        public static final DemoPlayback BLANK = new DemoPlayback(false, 0);

        public static DemoPlayback wire(Wire w, DemoPlayback m) {
            boolean on = bool(w, "on", m.on);
            int cn = integer(w, "cn", m.cn);
            return new DemoPlayback(on, cn);
        }
    }

    /** {@code N_RECORDDEMO}: the client turns recording of the next match on or off. */
    record RecordDemo(boolean val) implements DemoMessage {
        public static final RecordDemo BLANK = new RecordDemo(false);

        public static RecordDemo wire(Wire w, RecordDemo m) {
            return new RecordDemo(bool(w, "val", m.val));
        }
    }

    /** {@code N_STOPDEMO}: the client stops recording or playback. */
    record StopDemo() implements DemoMessage {
        public static final StopDemo BLANK = new StopDemo();

        public static StopDemo wire(Wire w, StopDemo m) {
            return BLANK;
        }
    }

    /** {@code N_CLEARDEMOS}: the client deletes a demo; 0 is all. */
    record ClearDemos(int demo) implements DemoMessage {
        public static final ClearDemos BLANK = new ClearDemos(0);

        public static ClearDemos wire(Wire w, ClearDemos m) {
            return new ClearDemos(integer(w, "demo", m.demo));
        }
    }

    /** {@code N_DEMOPACKET}: the rest of this packet is from a demo. */
    record DemoPacket() implements DemoMessage {
        public static final DemoPacket BLANK = new DemoPacket();

        public static DemoPacket wire(Wire w, DemoPacket m) {
            return BLANK;
        }
    }
}
