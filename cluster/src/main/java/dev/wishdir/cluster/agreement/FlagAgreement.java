package dev.wishdir.cluster.agreement;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.flag.FlagOwnership;
import dev.wishdir.arena.flag.FlagReport;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.cluster.v1.PlayedRound;
import dev.wishdir.record.message.MessageEncoder;
import dev.wishdir.record.message.RecordingOptions;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Agreement about the flags of a match: the node that made the last change of the round decides,
 * and sends the flags with each report of its round. The others take over what it decided, and send
 * it reports about their own players.
 */
public final class FlagAgreement implements FlagOwnership {
    private final Flags flags;
    private final BooleanSupplier ownsRound;
    private Consumer<FlagReport> publisher = _ -> {};

    /** Whether the node that decides plays another level. */
    private boolean isApart;

    /** The change of the round since which the flags are taken over from the node that made it. */
    private long count;

    private int node;

    /**
     * @param ownsRound whether this node made the last change of the round, or there is none
     */
    FlagAgreement(Flags flags, BooleanSupplier ownsRound) {
        this.flags = flags;
        this.ownsRound = ownsRound;
        flags.setOwnership(this);
    }

    /** Sets what publishes the reports of this node. */
    public void setPublisher(Consumer<FlagReport> given) {
        publisher = given;
    }

    /** Sets whether the node that decides plays another level: then each decides for its own. */
    public void setApart(boolean apart) {
        isApart = apart;
    }

    @Override
    public boolean isOwner() {
        return isApart || ownsRound.getAsBoolean();
    }

    @Override
    public void report(FlagReport report) {
        publisher.accept(report);
    }

    /**
     * Whether the flags of a round are those of a node that has begun to decide, whatever their
     * versions are.
     */
    public boolean isNew(PlayedRound round) {
        return round.getCount() != count || round.getNode() != node;
    }

    /** Ends that, if this node has taken over the flags of the round. */
    public void begin(PlayedRound round) {
        List<FlagStatus> known = flags.status();
        boolean isKnown =
                known.size() == round.getFlagsCount()
                        && IntStream.range(0, known.size())
                                .allMatch(i ->
                                        known.get(i).version() == round.getFlags(i).getVersion());
        if (isKnown) {
            count = round.getCount();
            node = round.getNode();
        }
    }

    /** Adds the flags to a report to the other nodes, if this one decides. */
    void addTo(PlayedRound.Builder message, long now, int own) {
        if (!isOwner()) {
            return;
        }
        // First, as this node may have begun to decide.
        List<ArenaEvent.FlagChanged> decisions = flags.decisions(now);
        MessageEncoder messages = new MessageEncoder(RecordingOptions.DEFAULT, own, 0, _ -> 0);
        for (FlagStatus flag : flags.status()) {
            message.addFlags(messages.flag(now, flag));
        }
        decisions.forEach(event -> messages.event(event).ifPresent(message::addFlagChanges));
    }
}
