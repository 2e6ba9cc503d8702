package dev.wishdir.quake3.server.session;

import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** The downloads of one client: from an HTTP server, or in band, one at a time. */
public final class DownloadSender {
    private final ClientTransport transport;
    private final Optional<String> url;
    private @Nullable Download download;
    private boolean isRequested;

    /**
     * @param url for HTTP downloads; empty if the client downloads in band
     */
    DownloadSender(ClientTransport transport, Optional<String> url) {
        this.transport = transport;
        this.url = url;
    }

    /** The URL for HTTP downloads; empty if the client downloads in band. */
    Optional<String> url() {
        return url;
    }

    /** Whether the client has requested a file in band since its session began. */
    boolean isRequested() {
        return isRequested;
    }

    /** Whether a download is in progress. */
    public boolean isActive() {
        return download != null;
    }

    /** Begins a download; one in progress is not restarted. */
    public void offer(long now, Bytes file) {
        isRequested = true;
        Download d = download;
        if (d == null || !d.isFile()) {
            download = new Download(file, now);
        }
    }

    /** Refuses a download, with the text that the client shows. */
    public void refuse(long now, String why) {
        isRequested = true;
        download = Download.refused(why, now);
    }

    /** Ends a download at the client's request, or with its level. */
    public void stop() {
        download = null;
    }

    /** Handles the acknowledgement of a block. */
    public void acknowledge(long now, int block) {
        Download d = download;
        if (d != null && d.acknowledge(now, block) && d.isFinished()) {
            download = null;
        }
    }

    /** Whether the acknowledgement time-out has passed: the client must be dropped. */
    public boolean isNotAcknowledging(long now) {
        Download d = download;
        return d != null && d.isNotAcknowledging(now);
    }

    /**
     * Sends the next blocks that the window and the client's rate allow.
     *
     * @param max number of blocks
     * @param until when the next blocks may follow; the rate must allow these by then
     */
    public void send(long now, int max, long until) {
        transport.chargeRate(now);
        for (int i = 0; i < max && mayFollow(until) && sendBlock(now); i++) {
            transport.chargeRate(now);
        }
    }

    private boolean mayFollow(long until) {
        return !transport.hasPendingFragments() && transport.nextPacket() < until;
    }

    /** Sends the next block. Returns whether there was one to send. */
    private boolean sendBlock(long now) {
        ServerConnection c = transport.connection();
        Download d = download;
        ServerMessage.Download block = c == null || d == null ? null : d.next(now);
        if (c == null || d == null || block == null) {
            return false;
        }
        c.send(List.of(block), transport.sink());
        if (d.isFinished()) {
            download = null;
        }
        return true;
    }
}
