package dev.wishdir.nethernet.dtls;

/**
 * One side of a DTLS association, as a state machine without clock or socket.
 *
 * <p>An interface, so that the layers above can be tested without encryption.
 */
public interface Dtls {
    /** Callbacks of an association, called within its own methods. */
    interface Listener {
        /** Sends a datagram; the array is reused after the call. */
        void emit(byte[] datagram, int offset, int length);

        /** The handshake is complete, with the agreed certificates. */
        void onSecured();

        /** Data was received; the listener may keep the array. */
        void onDecrypted(byte[] plain);

        /** The association has ended, by the peer or by a violation. */
        void onEnded(boolean violation, String reason);
    }

    /** Creates associations with one certificate. */
    interface Maker {
        /**
         * @param client whether this side starts the handshake
         * @param peerHash SHA-256 of the certificate that the peer must present
         */
        Dtls make(boolean client, byte[] peerHash, Listener listener);

        /** The SHA-256 of the certificate. */
        byte[] certificateHash();
    }

    /** DTLS 1.2 on the wire. */
    int VERSION = 0xFEFD;

    /**
     * Maximum length of the content of one {@link #send}, so that no datagram has more than 1,200
     * bytes.
     */
    int MAX_PAYLOAD_BYTES = 1160;

    /**
     * Handles a datagram. Malformed and forged records are dropped.
     *
     * @return whether only the peer can have sent it
     */
    boolean receive(long now, byte[] datagram);

    /** Sends data; does nothing before the handshake is complete. */
    void send(byte[] plain, int offset, int length);

    /**
     * Ends the association: notifies the peer at most once and does not call {@link
     * Listener#onEnded}.
     */
    void close();

    /** Fault of the last dropped message of the handshake; empty for none. */
    default String problem() {
        return "";
    }

    /**
     * Sends what is due; returns the time of the next call. The first call starts the handshake.
     */
    long advance(long now);
}
