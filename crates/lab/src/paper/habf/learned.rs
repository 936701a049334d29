//! The paper's numbers for learned filters (LBF, Ada-BF, SLBF). They need a trained model of the keys, and generated keys would determine what
//! a model can learn. So these figures only list the numbers; [`crate::paper::learned`] builds the filters from real keys.

use crate::output::{Cells, Table};

/// A row per filter with the paper's number in each column.
fn table(columns: &str, rows: [impl Cells; 3]) -> Table {
    let title = "Published only; the experiment `learned` has these filters on real keys";
    let mut table = Table::new(title, &format!("filter | {columns}"));
    for (name, cells) in ["LBF", "Ada-BF", "SLBF"].into_iter().zip(rows) {
        table.row((name, cells));
    }
    table
}

/// Rates with equal costs.
pub fn figure_10() -> Table {
    let rates = [
        [0.0054, 7.04e-3, 1.08e-4],
        [0.0051, 3.13e-2, 1.42e-4],
        [0.0044, 6.81e-3, 1.72e-5],
    ];
    let columns = "Shalla, 1.5 MB {%} | YCSB, 12.5 MB {%} | YCSB, 32.5 MB {%}";
    table(columns, rates)
}

/// Rates with Zipf costs, skew 1.0.
pub fn figure_11() -> Table {
    let rates = [[9.78e-3, 2.3e-4], [1.72e-2, 2.13e-5], [8.81e-3, 4.05e-5]];
    table("Shalla, 1.25 MB {%} | Shalla, 3.25 MB {%}", rates)
}

/// Build times in nanoseconds per key, and query times as multiples of HABF's.
pub fn figure_12() -> Table {
    let times = [
        [36_430, 25_686, 11_636],
        [38_743, 24_123, 11_730],
        [32_470, 20_728, 12_300],
    ];
    let columns = "build, Shalla | the same, GPU | build, YCSB | the same, GPU | query, times HABF";
    let row =
        |[shalla, gpu, ycsb_gpu]: [u64; 3]| (shalla, gpu, "above 90000", ycsb_gpu, "above 500");
    table(columns, times.map(row))
}

/// Memory of the build in gigabytes. For YCSB the text gives the mean of the three: 9.88, and 10.44 with a GPU.
pub fn figure_15() -> Table {
    let gigabytes = [[2.59, 3.55], [2.78, 3.56], [2.68, 3.51]];
    let columns =
        "Shalla {2} | Shalla, GPU {2} | YCSB, mean of all {2} | YCSB, GPU, mean of all {2}";
    table(columns, gigabytes.map(|shalla| (shalla, [9.88, 10.44])))
}
