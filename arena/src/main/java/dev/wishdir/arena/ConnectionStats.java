package dev.wishdir.arena;

/**
 * What has come and gone between the server and a player since it connected, as its game's
 * transport counts it.
 *
 * @param datagramsIn that came from the player
 * @param bytesIn of their payloads
 * @param sequencedIn what came that the player's side numbers, so that a missing one is noticed:
 *     datagrams, or messages where a transport numbers those alone
 * @param lostIn what did not come of that, or too late
 * @param datagramsOut that went to the player
 * @param bytesOut of their payloads
 * @param lostOut what the player did not acknowledge in time, in whatever the transport sends
 *     again; 0 where it can't tell
 */
public record ConnectionStats(
        long datagramsIn,
        long bytesIn,
        long sequencedIn,
        long lostIn,
        long datagramsOut,
        long bytesOut,
        long lostOut) {
    /** Nothing is known. */
    public static final ConnectionStats UNKNOWN = new ConnectionStats(0, 0, 0, 0, 0, 0, 0);

    /** What came and went since an earlier moment of the same player. */
    public ConnectionStats since(ConnectionStats before) {
        return new ConnectionStats(
                datagramsIn - before.datagramsIn,
                bytesIn - before.bytesIn,
                sequencedIn - before.sequencedIn,
                lostIn - before.lostIn,
                datagramsOut - before.datagramsOut,
                bytesOut - before.bytesOut,
                lostOut - before.lostOut);
    }

    /** The part of what the player's side sent that was lost, 0 to 1; 0 where nothing came. */
    public double loss() {
        long sent = sequencedIn + lostIn;
        return sent == 0 ? 0 : (double) lostIn / sent;
    }
}
