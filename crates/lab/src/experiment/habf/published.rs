//! The rates that the text gives for Figures 10 and 11.

use crate::workload::Source;

/// A published rate: the filter, the size in megabytes, and the rate.
pub type Published = (&'static str, f64, f64);

/// A data set, the paper's sizes in megabytes, and its published rates.
pub struct Setting {
    pub source: Source,
    /// The sizes in megabytes.
    pub sizes: &'static [f64],
    /// Shuffles of the costs; the paper uses ten.
    pub shuffles: u64,
    /// Published rates of the paper's own filters and of those it compares with.
    pub published: &'static [Published],
    /// The filters of this library that are shown beside the paper's HABF.
    pub ours: &'static [&'static str],
}

impl Setting {
    /// The published rate of the filter `name` at `megabytes`.
    pub fn rate(&self, name: &str, megabytes: f64) -> Option<f64> {
        let mut all = self.published.iter();
        let found = all.find(|&&(known, size, _)| known == name && size == megabytes);
        found.map(|&(_, _, rate)| rate)
    }
}

/// The paper's sizes for Shalla's blacklists.
const SHALLA: &[f64] = &[1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25];

/// The paper's sizes for YCSB.
const YCSB: &[f64] = &[12.5, 17.5, 22.5, 27.5, 32.5];

/// Figure 10.
pub const EQUAL: [Setting; 2] = [
    Setting {
        source: Source::Urls,
        sizes: SHALLA,
        shuffles: 1,
        published: &[
            ("bloom", 1.5, 0.0173),
            ("xor", 1.5, 0.0156),
            ("habf, paper", 1.5, 0.0036),
            ("habf-fast, paper", 1.5, 0.0055),
        ],
        ours: &["habf", "guarded"],
    },
    Setting {
        source: Source::Users,
        sizes: YCSB,
        shuffles: 1,
        published: &[
            ("bloom", 12.5, 1.78e-2),
            ("bloom", 32.5, 2.83e-5),
            ("xor", 12.5, 1.57e-2),
            ("xor", 32.5, 1.59e-5),
            ("habf, paper", 12.5, 3.46e-3),
            ("habf, paper", 32.5, 3.63e-6),
        ],
        ours: &["habf", "guarded"],
    },
];

/// Figure 11.
pub const SKEWED: [Setting; 2] = [
    Setting {
        source: Source::Urls,
        sizes: SHALLA,
        shuffles: 10,
        published: &[
            ("bloom", 1.25, 2.81e-2),
            ("bloom", 3.25, 7.49e-5),
            ("xor", 1.25, 2.67e-2),
            ("xor", 3.25, 2.74e-5),
            ("weighted", 1.25, 1.83e-2),
            ("weighted", 3.25, 8.81e-5),
            ("habf, paper", 1.25, 8.67e-3),
            ("habf, paper", 3.25, 2.56e-6),
            ("habf-fast, paper", 1.25, 1.37e-2),
            ("habf-fast, paper", 3.25, 3.86e-6),
        ],
        ours: &["habf", "guarded"],
    },
    Setting {
        source: Source::Users,
        sizes: YCSB,
        shuffles: 5,
        published: &[
            ("habf, paper", 12.5, 1.99e-3),
            ("habf, paper", 32.5, 1.97e-6),
        ],
        ours: &["habf", "guarded"],
    },
];

/// The text's lowest rate of all other filters in Figure 11 on YCSB, by megabytes.
pub const LOWEST_OTHER: [(f64, f64); 2] = [(12.5, 5.80e-3), (32.5, 5.14e-6)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_rates_are_at_measured_sizes() {
        for setting in EQUAL.iter().chain(&SKEWED) {
            for &(name, size, rate) in setting.published {
                assert!(setting.sizes.contains(&size), "{name}, {size} MB");
                assert_eq!(setting.rate(name, size), Some(rate));
            }
            assert_eq!(setting.rate("habf, paper", 99.0), None);
        }
    }
}
