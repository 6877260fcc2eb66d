//! The reader of network files accepts any bytes; a network that it reads is written back unchanged and evaluates the
//! same with every kernel. The checksum is also corrected, so that the input reaches the tests after it.
#![no_main]

use alfil_nnue::{Accumulators, FeatureMap, Kernels, Network};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    if bytes.len() >= 72 {
        let mut corrected = bytes.to_vec();
        let checksum = crc32fast::hash(&[&bytes[..68], &bytes[72..]].concat());
        corrected[68..72].copy_from_slice(&checksum.to_le_bytes());
        check(&corrected);
    }
});

fn check(bytes: &[u8]) {
    let Ok(network) = Network::from_bytes(bytes) else { return };
    assert_eq!(network.to_bytes(), bytes);
    let inputs: Vec<u16> = (0..network.info().inputs as u16).collect();
    let features =
        FeatureMap::new(inputs.len(), vec![inputs.clone(), inputs.iter().rev().copied().collect()]);
    let scores = Kernels::available().into_iter().map(|kernels| {
        let network = network.clone().with_kernels(kernels);
        let placements = || inputs.iter().copied().take(32);
        let pieces = placements().count();
        Accumulators::new(&network).evaluate(&network, &features, [0, 1], pieces, placements)
    });
    let scores: Vec<_> = scores.collect();
    assert!(scores.iter().all(|score| *score == scores[0]), "{scores:?}");
}
