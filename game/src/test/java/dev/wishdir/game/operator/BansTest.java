package dev.wishdir.game.operator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

@Tag("slow")
class BansTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

    private Instant time = NOW;
    private int changes;

    private Bans bans(List<Ban> initial) {
        return new Bans(() -> time, new BanList(initial), _ -> changes++);
    }

    private static Ban ban(int number) {
        return Ban.parse(
                "10.%d.%d.%d%s,xuid:%d %s \"a\" \"n%d\""
                        .formatted(
                                number >> 16,
                                number >> 8 & 0xFF,
                                number & 0xF0,
                                number % 3 == 0 ? "/28" : "",
                                number,
                                number % 2 == 0 ? "forever" : NOW.plusSeconds(60 + number),
                                number));
    }

    private static List<Ban> full() {
        List<Ban> bans = new ArrayList<>();
        for (int i = 0; i < Bans.MAX_BANS; i++) {
            bans.add(ban(i));
        }
        return bans;
    }

    @Test
    @DisplayName("N20: a list of 20,000 bans takes no more, and changes as any")
    void findsAndChangesBansOfFullList() {
        List<Ban> full = full();
        Bans bans = bans(full);
        assertThat(bans.all()).hasSize(Bans.MAX_BANS);
        assertThat(bans.add(Ban.parse("192.0.2.1 forever"))).isFalse();
        InetAddress free = InetAddress.ofLiteral("192.0.2.1");
        int rounds = 2_000;
        for (Ban ban : full.subList(0, rounds)) {
            bans.remove(List.of(ban));
            assertThat(bans.add(ban)).isTrue();
            assertThat(bans.find("quake3", free, "")).isEmpty();
        }
        assertThat(changes).isEqualTo(2 * rounds);
        assertThat(bans.all()).hasSize(Bans.MAX_BANS);
    }

    @Test
    void findsSameBansAsSearchOfWholeList() {
        Random random = new Random(4);
        List<Ban> expected = new ArrayList<>();
        Bans bans = bans(List.of());
        for (int i = 0; i < 2_000; i++) {
            String range =
                    random.nextBoolean()
                            ? InetAddressText.network(random, 4)
                            : InetAddressText.network(random, 16);
            Ban ban =
                    Ban.parse(
                            range
                                    + (random.nextInt(4) == 0 ? ",xuid:" + random.nextInt(20) : "")
                                    + " forever \"\" \"\" \"\""
                                    + (random.nextInt(3) == 0 ? " quake2" : ""));
            if (random.nextInt(3) == 0) {
                expected.removeIf(it -> it.equals(ban));
                bans.remove(List.of(ban));
            } else {
                expected.removeIf(it -> it.equals(ban));
                expected.add(ban);
                bans.add(ban);
            }
            InetAddress address = InetAddressText.address(random, random.nextBoolean() ? 4 : 16);
            String account = random.nextBoolean() ? "" : "xuid:" + random.nextInt(20);
            Optional<Ban> found = bans.find("quake3", address, account);
            List<Ban> all =
                    expected.stream()
                            .filter(it -> it.game().isEmpty())
                            .filter(it ->
                                    it.accounts().contains(account)
                                            || it.ranges().stream()
                                                    .anyMatch(each -> each.contains(address)))
                            .toList();
            assertThat(found.isPresent()).isEqualTo(!all.isEmpty());
            found.ifPresent(it -> assertThat(all).contains(it));
            assertThat(bans.all()).containsExactlyElementsOf(expected);
        }
    }

    /** Addresses of few bits, so that ranges meet. */
    private static final class InetAddressText {
        static InetAddress address(Random random, int bytes) {
            byte[] address = new byte[bytes];
            address[0] = 10;
            address[1] = (byte) (random.nextInt(4) << 6);
            address[bytes - 1] = (byte) random.nextInt(4);
            try {
                return InetAddress.getByAddress(address);
            } catch (java.net.UnknownHostException e) {
                throw new IllegalStateException(e);
            }
        }

        static String network(Random random, int bytes) {
            int length = new int[] {8, 9, 10, bytes * 8 - 1, bytes * 8}[random.nextInt(5)];
            return dev.wishdir.net.limit.AddressRange.prefix(address(random, bytes), length)
                    .toString();
        }
    }

    @Test
    void forgetsEndedBansWithoutOperator() {
        Bans bans = bans(full());
        time = NOW.plus(Duration.ofHours(6));
        InetAddress address = InetAddress.ofLiteral("192.0.2.1");
        assertThat(bans.find("quake3", address, "")).isEmpty();
        int half = bans.all().size();
        assertThat(half).isBetween(1, Bans.MAX_BANS - 1);
        assertThat(changes).isZero();
        Ban another = Ban.parse("192.0.2.1 2026-11-22T19:00:00Z");
        assertThat(bans.add(another)).as("an ended one makes room").isTrue();
        assertThat(changes).isEqualTo(1);
        time = time.plus(Duration.ofHours(25));
        assertThat(bans.find("quake3", address, "")).isEmpty();
        assertThat(changes).as("the file is written").isEqualTo(2);
        assertThat(bans.all()).hasSize(half);
    }
}
