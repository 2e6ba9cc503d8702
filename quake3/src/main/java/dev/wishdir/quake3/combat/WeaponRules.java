package dev.wishdir.quake3.combat;

/**
 * Effect of a weapon on bodies: docs/protocols/quake3.md#weapons. Units.
 *
 * @param damage of a direct hit, a pellet
 * @param splashDamage in the middle of the explosion; 0 for none
 * @param splashRadius from which on it does nothing
 * @param speed of a missile a second; 0 for none
 * @param lifeMillis of a missile
 * @param means of a direct hit
 * @param splashMeans of the explosion
 */
public record WeaponRules(
        int damage,
        int splashDamage,
        int splashRadius,
        int speed,
        int lifeMillis,
        MeansOfDeath means,
        MeansOfDeath splashMeans) {
    /** The number of pellets of a shot with the shotgun. */
    public static final int PELLETS = 11;

    private static WeaponRules straight(int damage, MeansOfDeath means) {
        return new WeaponRules(damage, 0, 0, 0, 0, means, means);
    }

    public static WeaponRules of(Weapon weapon) {
        return switch (weapon) {
            case GAUNTLET -> straight(50, MeansOfDeath.GAUNTLET);
            case MACHINE_GUN -> straight(7, MeansOfDeath.MACHINE_GUN);
            case SHOTGUN -> straight(10, MeansOfDeath.SHOTGUN);
            case LIGHTNING_GUN -> straight(8, MeansOfDeath.LIGHTNING);
            case RAILGUN -> straight(100, MeansOfDeath.RAILGUN);
            case GRENADE_LAUNCHER ->
                    new WeaponRules(
                            100,
                            100,
                            150,
                            700,
                            2_500,
                            MeansOfDeath.GRENADE,
                            MeansOfDeath.GRENADE_SPLASH);
            case ROCKET_LAUNCHER ->
                    new WeaponRules(
                            100,
                            100,
                            120,
                            900,
                            15_000,
                            MeansOfDeath.ROCKET,
                            MeansOfDeath.ROCKET_SPLASH);
            case PLASMA_GUN ->
                    new WeaponRules(
                            20,
                            15,
                            20,
                            2_000,
                            10_000,
                            MeansOfDeath.PLASMA,
                            MeansOfDeath.PLASMA_SPLASH);
            case BFG ->
                    new WeaponRules(
                            100,
                            100,
                            120,
                            2_000,
                            10_000,
                            MeansOfDeath.BFG,
                            MeansOfDeath.BFG_SPLASH);
        };
    }
}
