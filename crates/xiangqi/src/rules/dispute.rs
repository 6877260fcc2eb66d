//! Disputed repetitions: those about which the sources disagree (test lists of programs, diagrams of the federations,
//! verdicts of programs).

/// Why the sources disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dispute {
    /// The chased rook that is pinned before its king also chases: some call the mutual chase a draw all the same.
    HorsePinnedAttacker,
    /// Attacker and protector are between the facing kings, so that the capture pins the protector: some accept the
    /// protection.
    MutualPin,
    /// Several pieces chase several pieces at once: AXF 32 allows it, as it allows chasing several in turn; some
    /// programs let the chaser lose.
    SeveralAttackers,
    /// An advisor or an elephant attacks a protected piece because another piece moved away: some count only its own
    /// moves.
    DiscoveredAttack,
    /// A cannon attacks over the king of its victim's side: some see no chase.
    OverKing,
    /// Only a soldier is chased, and some of the chasing moves give check: one published list lets the checked side
    /// lose, and cites no article.
    CheckedSoldier,
    /// A cannon chases a rook, and the rook attacks cannons in return: AXF 15 forbids it to the cannons; some call the
    /// mutual chase a draw.
    CounterattackingRook,
    /// Chinese rules: capturing with an even result may be an exchange (24) instead of a chase (26.5).
    EvenCaptures,
    /// Chinese rules: the checks that the other side could interpose may not belong to the sequence of captures (26.5).
    InterposedChecks,
    /// Chinese rules: a check that captures a piece which could capture its attacker may be an offer to exchange (24)
    /// instead of part of a kill (24).
    TradingKill,
    /// Chinese rules: a piece may count as unprotected because its protectors are pinned (26.9.1).
    PinnedProtectors,
    /// Chinese rules: a piece that escapes may make the attacks of others again that its danger had suspended (24).
    EscapesRenewAttacks,
    /// Chinese rules: a trade after which something else can be captured may be an exchange (24) instead of a chase
    /// (26.5).
    WinningExchange,
    /// Chinese rules: what a king or a soldier could capture elsewhere after a trade may belong to the sequence (26.5),
    /// although their own attacks are allowed (26.1).
    KingsCaptureElsewhere,
    /// Chinese rules: a piece that offers to exchange itself (24) may take part in the captures of other pieces (26.5).
    OffersTakePart,
}
