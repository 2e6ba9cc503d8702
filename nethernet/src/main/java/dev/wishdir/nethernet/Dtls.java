package dev.wishdir.nethernet;

/**
 * One side of a DTLS association, a pure state machine: what NetherNet needs of it, so that what is
 * above can be tested without its keys.
 */
interface Dtls {
    /** Receives the events of an association, inside calls of its own methods. */
    interface Listener {
        /** A datagram is to be sent; the array is used again after the call. */
        void emit(byte[] datagram, int offset, int length);

        /** Both sides have shown the certificates that were agreed. */
        void onSecured();

        /** What the other side sent; the array is the listener's. */
        void onDecrypted(byte[] plain);

        /** It is over, by the other side or because something is wrong. */
        void onEnded(boolean violation, String reason);
    }

    /** Makes sides with one certificate. */
    interface Maker {
        /**
         * @param client whether it begins
         * @param peerHash the SHA-256 of the certificate that the other side must show
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
     * Takes in a datagram. What is malformed or forged is dropped.
     *
     * @return whether the other side must be there to have sent it
     */
    boolean receive(long now, byte[] datagram);

    /** Sends; only once it is secured. */
    void send(byte[] plain, int offset, int length);

    /**
     * Ends the association: notifies the other side at most once and does not call {@link
     * Listener#onEnded}.
     */
    void close();

    /** Does what time brings about and returns when to call again. The first call begins. */
    long advance(long now);
}
