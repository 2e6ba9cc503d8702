package dev.wishdir.bedrock.client;

import dev.wishdir.bedrock.protocol.Transport;
import dev.wishdir.net.DatagramHandler;

/** The way of a client to its server: a connection that is being made, and then that connection. */
interface Connecting extends DatagramHandler {
    /** Whom it tells what comes of it. */
    interface Listener extends Transport.Listener {
        /** There is no connection and will be none. Nothing follows. */
        void failed(Transport.Ending ending, String reason);
    }

    /** Gives up, or ends the connection once what was sent has arrived. */
    void close(long now);

    /** Ends it at once; the other side is told once, whether that arrives or not. */
    void end(long now);
}
