//! scratch
use bloomwise::*;
use std::time::Instant;
use std::hint::black_box;
fn time<T>(name:&str, n:usize, mut f: impl FnMut()->T){ let mut best=f64::MAX; for _ in 0..7 { let s=Instant::now(); black_box(f()); best=best.min(s.elapsed().as_nanos() as f64/n as f64);} println!("{name}: {best:.2}");}
fn main(){
 let keys:Vec<u64>=(0..1_000_000u64).map(|x|x.wrapping_mul(0x9E3779B97F4A7C15)).collect();
 let h=black_box(Hashing::default());
 time("digest",keys.len(),||keys.iter().map(|k|{let d=h.digest(&k.to_le_bytes()); d.low^d.high}).fold(0,|a,b|a^b));
 time("xxh3_64",keys.len(),||keys.iter().map(|k|xxhash_rust::xxh3::xxh3_64(&k.to_le_bytes())).fold(0,|a,b|a^b));
 time("xxh3_128",keys.len(),||keys.iter().map(|k|xxhash_rust::xxh3::xxh3_128_with_seed(&k.to_le_bytes(),7)).fold(0,|a,b|a^b));
 time("xxh3_128_0",keys.len(),||keys.iter().map(|k|xxhash_rust::xxh3::xxh3_128(&k.to_le_bytes())).fold(0,|a,b|a^b));
 let ds:Vec<Digest>=keys.iter().map(|k|h.digest(&k.to_le_bytes())).collect();
 time("function0..7",keys.len(),||ds.iter().map(|d|(0..7).fold(0,|a,i|a^hash::reduce(d.function(i),12345678))).fold(0,|a,b|a^b));

 let mut bl=Blocked::builder(1000000,Size::BitsPerKey(10.0)).build().unwrap(); bl.insert_digests(&ds);
 let mut bb=Bloom::builder(1000000,Size::BitsPerKey(10.0)).build().unwrap(); bb.insert_digests(&ds);
 time("blocked digest",keys.len(),||ds.iter().filter(|&&d|bl.contains_digest(d)).count());
 time("blocked key",keys.len(),||keys.iter().filter(|k|bl.contains(&k.to_le_bytes())).count());
 time("bloom digest",keys.len(),||ds.iter().filter(|&&d|bb.contains_digest(d)).count());
 let mut v=Vec::with_capacity(1<<20);
 time("blocked digests",keys.len(),||{v.clear();bl.contains_digests(&ds,&mut v);});
 time("bloom digests",keys.len(),||{v.clear();bb.contains_digests(&ds,&mut v);});
 time("insert blocked",keys.len(),||{bl.insert_digests(&ds);});
 time("insert bloom",keys.len(),||{bb.insert_digests(&ds);});
 println!("{:?} {:?}", bl.info(), bb.info());
}
