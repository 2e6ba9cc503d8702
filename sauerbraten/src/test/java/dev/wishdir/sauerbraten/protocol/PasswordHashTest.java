package dev.wishdir.sauerbraten.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

class PasswordHashTest {
    @ParameterizedTest
    @CsvSource({
        "'', 3293ac630c13f0245f92bbb1766e16167a4e58492dde73f3",
        "abc, 2aab1484e8c158f2bfb8c5ff41b57a525129131c957b5f93",
        "0 9596616 sekrit, bd11c4a8abdbc36b8067249ff6110d7fa92b9a82f9516911",
        "'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-',"
                + "f71c8583902afb879edfe610f82c0d4786a3a534504486b5",
    })
    void matchesTigerVectors(String text, String hash) {
        assertThat(HexFormat.of().formatHex(Tiger.hash(text.getBytes(StandardCharsets.US_ASCII))))
                .isEqualTo(hash);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 9596616, sekrit, db114c8ababd3cb6087642f96f11d0f79ab2a9289f159611",
        "0, 15664370, wrong, 5f74cbeeac255b274388b30d86d1c6c8d993719baf17ff83",
        "0, 5901256, letmein, 297ecd7b8fd86c73c3a6606c9f42dc01eed91ac85f15670e",
        "1, 13966908, letmein, 09ebde686e77556a3ded61f72d91666dd0047b8a1d62e924",
    })
    void matchesClientHashes(int cn, int sessionid, String password, String hash) {
        assertThat(PasswordHash.of(cn, sessionid, password)).isEqualTo(hash);
    }

    @Test
    void hasNoHashWithoutPassword() {
        assertThat(PasswordHash.of(0, 9596616, "")).isEmpty();
    }
}
