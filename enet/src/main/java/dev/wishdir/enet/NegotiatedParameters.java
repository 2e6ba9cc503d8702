package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Terms;

/**
 * Negotiation of a connection's parameters from this host's settings:
 * docs/protocols/enet.md#connecting.
 */
record NegotiatedParameters(EnetSettings settings) {
    static final int MIN_WINDOW = 4096;
    static final int MAX_WINDOW = 65536;

    private static final long THROTTLE_INTERVAL_MILLIS = 5000;
    private static final long THROTTLE_STEP = 2;

    /** The parameters that this host requests. */
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

    /** Whether a CONNECT may request these parameters. */
    static boolean isValid(Terms requested) {
        return requested.channels() >= 1 && requested.channels() <= EnetSettings.MAX_CHANNELS;
    }

    /**
     * The parameters that this host grants for a request.
     *
     * @param index the client's slot
     * @param in session of incoming datagrams
     * @param out session of outgoing datagrams
     */
    Terms grant(Terms requested, int index, int in, int out) {
        return new Terms(
                index,
                out,
                in,
                mtu(requested),
                Math.min(window(requested), window(settings.inBandwidth(), settings.inBandwidth())),
                Math.min(requested.channels(), settings.channels()),
                settings.inBandwidth(),
                settings.outBandwidth(),
                requested.thrInterval(),
                requested.thrAccel(),
                requested.thrDecel(),
                requested.connectID());
    }

    /** Whether an answer to a CONNECT repeats the request. */
    static boolean repeatsRequest(Terms granted, long connectID) {
        return isValid(granted)
                && granted.thrInterval() == THROTTLE_INTERVAL_MILLIS
                && granted.thrAccel() == THROTTLE_STEP
                && granted.thrDecel() == THROTTLE_STEP
                && granted.connectID() == connectID
                && granted.outgoingPeerID() < EnetHeader.NO_PEER;
    }

    /** Maximum length of a datagram to the peer, bytes. */
    int mtu(Terms peerTerms) {
        return Math.min(
                settings.mtu(),
                Math.clamp(peerTerms.mtu(), EnetSettings.MIN_MTU, EnetSettings.MAX_MTU));
    }

    int channels(Terms peerTerms) {
        return Math.min(settings.channels(), (int) peerTerms.channels());
    }

    /** The send window to a server that has granted parameters, bytes. */
    int sendWindow(Terms granted) {
        return Math.min(window(granted), window(settings.outBandwidth(), settings.outBandwidth()));
    }

    /** The send window for a peer with the given incoming bandwidth, bytes. */
    int sendWindow(long peerIn) {
        return window(peerIn, settings.outBandwidth());
    }

    private static int window(Terms peerTerms) {
        return Math.clamp(peerTerms.window(), MIN_WINDOW, MAX_WINDOW);
    }

    /** The window for the lower of two bandwidths; 0 is unlimited. */
    private static int window(long first, long second) {
        if (first == 0 && second == 0) {
            return MAX_WINDOW;
        }
        long bandwidth =
                first == 0 || second == 0 ? Math.max(first, second) : Math.min(first, second);
        return Math.clamp(bandwidth / MAX_WINDOW * MIN_WINDOW, MIN_WINDOW, MAX_WINDOW);
    }
}
