package dev.wishdir.nethernet.dtls;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Registered names of the numbers of DTLS, for dissectors. */
final class DtlsNames {
    private static final Map<Integer, String> SUITES =
            Map.ofEntries(
                    Map.entry(0x002F, "RSA_WITH_AES_128_CBC_SHA"),
                    Map.entry(0x0035, "RSA_WITH_AES_256_CBC_SHA"),
                    Map.entry(0x009C, "RSA_WITH_AES_128_GCM_SHA256"),
                    Map.entry(0x009D, "RSA_WITH_AES_256_GCM_SHA384"),
                    Map.entry(0x00FF, "EMPTY_RENEGOTIATION_INFO_SCSV"),
                    Map.entry(0xC009, "ECDHE_ECDSA_WITH_AES_128_CBC_SHA"),
                    Map.entry(0xC00A, "ECDHE_ECDSA_WITH_AES_256_CBC_SHA"),
                    Map.entry(0xC013, "ECDHE_RSA_WITH_AES_128_CBC_SHA"),
                    Map.entry(0xC014, "ECDHE_RSA_WITH_AES_256_CBC_SHA"),
                    Map.entry(0xC02B, "ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"),
                    Map.entry(0xC02C, "ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"),
                    Map.entry(0xC02F, "ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
                    Map.entry(0xC030, "ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
                    Map.entry(0xCCA8, "ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"),
                    Map.entry(0xCCA9, "ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"));

    private static final Map<Integer, String> EXTENSIONS =
            Map.ofEntries(
                    Map.entry(0, "server_name"),
                    Map.entry(10, "supported_groups"),
                    Map.entry(11, "ec_point_formats"),
                    Map.entry(13, "signature_algorithms"),
                    Map.entry(14, "use_srtp"),
                    Map.entry(16, "application_layer_protocol_negotiation"),
                    Map.entry(22, "encrypt_then_mac"),
                    Map.entry(23, "extended_master_secret"),
                    Map.entry(35, "session_ticket"),
                    Map.entry(43, "supported_versions"),
                    Map.entry(51, "key_share"),
                    Map.entry(0xFF01, "renegotiation_info"));

    private static final Map<Integer, String> GROUPS =
            Map.of(23, "secp256r1", 24, "secp384r1", 25, "secp521r1", 29, "x25519", 30, "x448");

    private static final Map<Integer, String> SCHEMES =
            Map.ofEntries(
                    Map.entry(0x0201, "rsa_pkcs1_sha1"),
                    Map.entry(0x0203, "ecdsa_sha1"),
                    Map.entry(0x0401, "rsa_pkcs1_sha256"),
                    Map.entry(0x0403, "ecdsa_secp256r1_sha256"),
                    Map.entry(0x0501, "rsa_pkcs1_sha384"),
                    Map.entry(0x0503, "ecdsa_secp384r1_sha384"),
                    Map.entry(0x0601, "rsa_pkcs1_sha512"),
                    Map.entry(0x0603, "ecdsa_secp521r1_sha512"),
                    Map.entry(0x0804, "rsa_pss_rsae_sha256"),
                    Map.entry(0x0805, "rsa_pss_rsae_sha384"),
                    Map.entry(0x0806, "rsa_pss_rsae_sha512"),
                    Map.entry(0x0807, "ed25519"));

    private static final Map<Integer, String> ALERTS =
            Map.ofEntries(
                    Map.entry(0, "close_notify"),
                    Map.entry(10, "unexpected_message"),
                    Map.entry(20, "bad_record_mac"),
                    Map.entry(40, "handshake_failure"),
                    Map.entry(42, "bad_certificate"),
                    Map.entry(43, "unsupported_certificate"),
                    Map.entry(46, "certificate_unknown"),
                    Map.entry(47, "illegal_parameter"),
                    Map.entry(50, "decode_error"),
                    Map.entry(51, "decrypt_error"),
                    Map.entry(70, "protocol_version"),
                    Map.entry(80, "internal_error"),
                    Map.entry(90, "user_canceled"),
                    Map.entry(100, "no_renegotiation"));

    private DtlsNames() {}

    private static String of(Map<Integer, String> names, int code) {
        return names.getOrDefault(code, "0x" + Integer.toHexString(code));
    }

    static String suite(int code) {
        return of(SUITES, code);
    }

    static String extension(int code) {
        return of(EXTENSIONS, code);
    }

    static String group(int code) {
        return of(GROUPS, code);
    }

    static String scheme(int code) {
        return of(SCHEMES, code);
    }

    static String alert(int code) {
        return of(ALERTS, code);
    }

    static String message(int code) {
        return switch (code) {
            case 0 -> "hello_request";
            case DtlsMessage.CLIENT_HELLO -> "client_hello";
            case DtlsMessage.SERVER_HELLO -> "server_hello";
            case DtlsMessage.HELLO_VERIFY_REQUEST -> "hello_verify_request";
            case DtlsMessage.NEW_SESSION_TICKET -> "new_session_ticket";
            case DtlsMessage.CERTIFICATE -> "certificate";
            case DtlsMessage.SERVER_KEY_EXCHANGE -> "server_key_exchange";
            case DtlsMessage.CERTIFICATE_REQUEST -> "certificate_request";
            case DtlsMessage.SERVER_HELLO_DONE -> "server_hello_done";
            case DtlsMessage.CERTIFICATE_VERIFY -> "certificate_verify";
            case DtlsMessage.CLIENT_KEY_EXCHANGE -> "client_key_exchange";
            case DtlsMessage.FINISHED -> "finished";
            default -> "message_" + code;
        };
    }

    static String version(int code) {
        return switch (code) {
            case 0xFEFD -> "DTLS 1.2";
            case 0xFEFF -> "DTLS 1.0";
            default -> "0x" + Integer.toHexString(code);
        };
    }

    static String code(String list, int code) {
        return switch (list) {
            case "suites" -> suite(code);
            case "schemes" -> scheme(code);
            default -> Integer.toString(code);
        };
    }

    /** The names of the groups or signature schemes of a list. */
    static String groups(List<Integer> codes) {
        return names(codes, GROUPS);
    }

    static String schemes(List<Integer> codes) {
        return names(codes, SCHEMES);
    }

    private static String names(List<Integer> codes, Map<Integer, String> names) {
        return codes.stream().map(code -> of(names, code)).collect(Collectors.joining(", "));
    }
}
