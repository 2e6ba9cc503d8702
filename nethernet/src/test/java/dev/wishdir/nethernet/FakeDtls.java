package dev.wishdir.nethernet;

import dev.wishdir.nethernet.dtls.Dtls;

import java.util.Arrays;

/** DTLS without its keys: the same flights, losses and ends, and the same bytes for a seed. */
final class FakeDtls implements Dtls {
    private static final int CLOSE = 21;
    private static final int HELLO = 22;
    private static final int DATA = 23;
    private static final int HASH = 32;

    /** Makes sides whose certificates are a byte. */
    static Dtls.Maker maker(int certificate) {
        byte[] hash = new byte[HASH];
        Arrays.fill(hash, (byte) certificate);
        return new Dtls.Maker() {
            @Override
            public Dtls make(boolean client, byte[] peerHash, Listener listener) {
                return new FakeDtls(client, hash, peerHash, listener);
            }

            @Override
            public byte[] certificateHash() {
                return hash.clone();
            }
        };
    }

    private final boolean client;
    private final byte[] hash;
    private final byte[] peerHash;
    private final Listener listener;
    private boolean secured;
    private boolean over;
    private long due = Long.MIN_VALUE;

    private FakeDtls(boolean client, byte[] hash, byte[] peerHash, Listener listener) {
        this.client = client;
        this.hash = hash;
        this.peerHash = peerHash.clone();
        this.listener = listener;
    }

    private void put(int type, byte[] content, int offset, int length) {
        byte[] datagram = new byte[1 + length];
        datagram[0] = (byte) type;
        System.arraycopy(content, offset, datagram, 1, length);
        listener.emit(datagram, 0, datagram.length);
    }

    @Override
    public boolean receive(long now, byte[] datagram) {
        if (over) {
            return false;
        }
        byte[] content = Arrays.copyOfRange(datagram, 1, datagram.length);
        switch (datagram[0]) {
            case HELLO -> {
                if (!Arrays.equals(content, peerHash)) {
                    over = true;
                    listener.onEnded(true, "the certificate is not the agreed one");
                    return true;
                }
                if (!client) {
                    put(HELLO, hash, 0, HASH);
                }
                if (!secured) {
                    secured = true;
                    listener.onSecured();
                }
            }
            case DATA -> {
                if (secured) {
                    listener.onDecrypted(content);
                }
            }
            default -> {
                over = true;
                listener.onEnded(false, "closed");
            }
        }
        return true;
    }

    @Override
    public void send(byte[] plain, int offset, int length) {
        if (secured && !over) {
            put(DATA, plain, offset, length);
        }
    }

    @Override
    public void close() {
        if (!over) {
            over = true;
            put(CLOSE, new byte[0], 0, 0);
        }
    }

    @Override
    public long advance(long now) {
        if (!client || secured || over) {
            return Long.MAX_VALUE;
        }
        if (now >= due) {
            put(HELLO, hash, 0, HASH);
            due = now + 100_000_000;
        }
        return due;
    }
}
