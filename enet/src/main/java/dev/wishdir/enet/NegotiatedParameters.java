package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Terms;

/**
 * What two sides come to terms about, as it follows from the settings of this one:
 * docs/protocols/enet.md#connecting.
 */
record NegotiatedParameters(EnetSettings settings) {
    static final int MIN_WINDOW = 4096;
    static final int MAX_WINDOW = 65536;

    private static final long THROTTLE_INTERVAL_MILLIS = 5000;
    private static final long THROTTLE_STEP = 2;

    /** What this side asks for. */
    Terms request(int index, int inSession, int outSession, long connectID) {
        return new Terms(
                index,
                inSession,
                outSession,
                settings.mtu(),
                window(settings.inBandwidth(), settings.inBandwidth()),
                settings.channels(),
                settings.inBandwidth(),
                settings.outBandwidth(),
                THROTTLE_INTERVAL_MILLIS,
                THROTTLE_STEP,
                THROTTLE_STEP,
                connectID);
    }

    /** Whether a CONNECT may request these values. */
    static boolean isValid(Terms asked) {
        return asked.channels() >= 1 && asked.channels() <= EnetSettings.MAX_CHANNELS;
    }

    /**
     * What this side grants of what was asked for.
     *
     * @param index the slot for the connecting peer
     * @param in session of what comes to it
     * @param out session of what leaves it
     */
    Terms grant(Terms asked, int index, int in, int out) {
        return new Terms(
                index,
                out,
                in,
                mtu(asked),
                Math.min(window(asked), window(settings.inBandwidth(), settings.inBandwidth())),
                Math.min(asked.channels(), settings.channels()),
                settings.inBandwidth(),
                settings.outBandwidth(),
                asked.thrInterval(),
                asked.thrAccel(),
                asked.thrDecel(),
                asked.connectID());
    }

    /** Whether an answer to a CONNECT repeats what was asked for. */
    static boolean repeatsRequest(Terms granted, long connectID) {
        return isValid(granted)
                && granted.thrInterval() == THROTTLE_INTERVAL_MILLIS
                && granted.thrAccel() == THROTTLE_STEP
                && granted.thrDecel() == THROTTLE_STEP
                && granted.connectID() == connectID
                && granted.outgoingPeerID() < EnetHeader.NO_PEER;
    }

    /** The longest datagram to the other side. */
    int mtu(Terms theirs) {
        return Math.min(
                settings.mtu(),
                Math.clamp(theirs.mtu(), EnetSettings.MIN_MTU, EnetSettings.MAX_MTU));
    }

    int channels(Terms theirs) {
        return Math.min(settings.channels(), (int) theirs.channels());
    }

    /** The window of reliable data to one who granted terms. */
    int sendWindow(Terms granted) {
        return Math.min(window(granted), window(settings.outBandwidth(), settings.outBandwidth()));
    }

    /** The window of reliable data for a peer with this incoming bandwidth, bytes per second. */
    int sendWindow(long theirIn) {
        return window(theirIn, settings.outBandwidth());
    }

    private static int window(Terms theirs) {
        return Math.clamp(theirs.window(), MIN_WINDOW, MAX_WINDOW);
    }

    /** The window for the lower of two bandwidths, of which 0 is none. */
    private static int window(long one, long other) {
        if (one == 0 && other == 0) {
            return MAX_WINDOW;
        }
        long bandwidth = one == 0 || other == 0 ? Math.max(one, other) : Math.min(one, other);
        return Math.clamp(bandwidth / MAX_WINDOW * MIN_WINDOW, MIN_WINDOW, MAX_WINDOW);
    }
}
