package dev.wishdir.sauerbraten.protocol;

import java.math.BigInteger;
import java.util.Optional;

/**
 * The elliptic curve NIST P-192, {@code y² = x³ - 3x + b}, over big integers, as Java's providers
 * no longer have it. Its cofactor is 1, so each point of it but infinity generates the whole group.
 */
final class P192Curve {
    /** Bytes of a coordinate, and of a number below the order. */
    static final int BYTES = 24;

    /** The number of points. */
    static final BigInteger ORDER = hex("ffffffffffffffffffffffff99def836146bc9b1b4d22831");

    static final Point GENERATOR =
            new Point(
                    hex("188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012"),
                    hex("07192b95ffc8da78631011ed6b24cdd573f977a11e794811"));

    private static final BigInteger P = hex("fffffffffffffffffffffffffffffffeffffffffffffffff");
    private static final BigInteger B = hex("64210519e59c80e70fa7e9ab72243049feb8deecc146b9b1");
    private static final BigInteger THREE = BigInteger.valueOf(3);

    /** A point of the curve other than infinity, by its affine coordinates. */
    record Point(BigInteger x, BigInteger y) {}

    /** A point by Jacobian coordinates: (x/z², y/z³); infinity if z is 0. */
    private record Jacobian(BigInteger x, BigInteger y, BigInteger z) {
        static final Jacobian INFINITY =
                new Jacobian(BigInteger.ONE, BigInteger.ONE, BigInteger.ZERO);

        Jacobian twice() {
            BigInteger delta = z.multiply(z).mod(P);
            BigInteger gamma = y.multiply(y).mod(P);
            BigInteger beta = x.multiply(gamma).mod(P);
            BigInteger alpha = THREE.multiply(x.subtract(delta)).multiply(x.add(delta)).mod(P);
            BigInteger nextX = alpha.multiply(alpha).subtract(beta.shiftLeft(3)).mod(P);
            BigInteger nextY =
                    alpha.multiply(beta.shiftLeft(2).subtract(nextX))
                            .subtract(gamma.multiply(gamma).shiftLeft(3))
                            .mod(P);
            return new Jacobian(nextX, nextY, y.multiply(z).shiftLeft(1).mod(P));
        }

        Jacobian plus(Point other) {
            if (z.signum() == 0) {
                return new Jacobian(other.x, other.y, BigInteger.ONE);
            }
            BigInteger zz = z.multiply(z).mod(P);
            BigInteger h = other.x.multiply(zz).subtract(x).mod(P);
            BigInteger r = other.y.multiply(z).multiply(zz).subtract(y).mod(P);
            if (h.signum() == 0) {
                return r.signum() == 0 ? twice() : INFINITY;
            }
            BigInteger hh = h.multiply(h).mod(P);
            BigInteger hhh = h.multiply(hh).mod(P);
            BigInteger v = x.multiply(hh).mod(P);
            BigInteger nextX = r.multiply(r).subtract(hhh).subtract(v.shiftLeft(1)).mod(P);
            BigInteger nextY = r.multiply(v.subtract(nextX)).subtract(y.multiply(hhh)).mod(P);
            return new Jacobian(nextX, nextY, z.multiply(h).mod(P));
        }
    }

    private P192Curve() {}

    private static BigInteger hex(String digits) {
        return new BigInteger(digits, 16);
    }

    /**
     * A multiple of a point; takes about 1 ms.
     *
     * @param factor not a multiple of {@link #ORDER}
     */
    static Point multiple(BigInteger factor, Point of) {
        Jacobian sum = Jacobian.INFINITY;
        for (int bit = factor.bitLength() - 1; bit >= 0; bit--) {
            sum = sum.twice();
            if (factor.testBit(bit)) {
                sum = sum.plus(of);
            }
        }
        BigInteger inverse = sum.z.modInverse(P);
        BigInteger square = inverse.multiply(inverse).mod(P);
        return new Point(
                sum.x.multiply(square).mod(P), sum.y.multiply(square).multiply(inverse).mod(P));
    }

    /** The point with an x and the parity of its y; empty if the curve has none. */
    static Optional<Point> point(BigInteger x, boolean isOdd) {
        if (x.signum() < 0 || x.compareTo(P) >= 0) {
            return Optional.empty();
        }
        BigInteger square = x.multiply(x).subtract(THREE).multiply(x).add(B).mod(P);
        BigInteger root = square.modPow(P.add(BigInteger.ONE).shiftRight(2), P);
        if (!root.multiply(root).mod(P).equals(square)) {
            return Optional.empty();
        }
        return Optional.of(new Point(x, root.testBit(0) == isOdd ? root : P.subtract(root)));
    }
}
