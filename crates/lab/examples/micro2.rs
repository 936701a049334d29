//! scratch
use bloomwise::*;
use std::time::Instant;
use std::hint::black_box;
fn time<T>(name:&str, n:usize, mut f: impl FnMut()->T){ let mut best=f64::MAX; for _ in 0..9 { let s=Instant::now(); black_box(f()); best=best.min(s.elapsed().as_nanos() as f64/n as f64);} println!("{name}: {best:.2}");}
#[repr(align(64))] #[derive(Clone,Copy)] struct B([u64;8]);
static MASK:[u64;64]={let mut m=[0;64];let mut i=0;while i<64{m[i]=1<<i;i+=1}m};
#[inline] fn v_shift<const W:u32>(b:&B,mut bits:u64,k:u32)->bool{ let mut s=1u64; for _ in 0..k { let p=(bits & ((1<<W)-1)) as usize; bits>>=W; s&=b.0[p/64%8]>>(p%64);} s&1==1}
#[inline] fn v_mask<const W:u32>(b:&B,mut bits:u64,k:u32)->bool{ let mut m=0u64; for _ in 0..k { let p=(bits & ((1<<W)-1)) as usize; bits>>=W; let q=MASK[p%64]; m|=q & !b.0[p/64%8];} m==0}
#[inline] fn v_bt<const W:u32>(b:&B,mut bits:u64,k:u32)->bool{ let mut s=true; for _ in 0..k { let p=(bits & ((1<<W)-1)) as usize; bits>>=W; s&=b.0[p/64%8] & (1<<(p%64))!=0;} s}
#[inline] fn v_rot<const W:u32>(b:&B,bits:u64,k:u32)->bool{ let mut s=1u64; let mut bits=bits; for _ in 0..k { s&=b.0[(bits>>61) as usize].rotate_left(((bits>>55)&63) as u32); bits<<=9;} s&1==1}
fn main(){
 let n=1_000_000usize;
 let nb=black_box(9_999_872u64/512);
 let keys:Vec<u64>=(0..n as u64).map(|x|x.wrapping_mul(0x9E3779B97F4A7C15)).collect();
 let h=black_box(Hashing::default());
 let ds:Vec<Digest>=keys.iter().map(|k|h.digest(&k.to_le_bytes())).collect();
 let mut bl=vec![B([0;8]);nb as usize];
 for d in &ds { let b=&mut bl[hash::reduce(d.low,nb) as usize]; for i in 0..6 { let p=((d.high>>(9*i))&511) as usize; b.0[p/64]|=1<<(p%64);} }
 let k=black_box(6);
 let mut sb=sbbf_rs_safe::Filter::new(10,n); for k in &keys { sb.insert_hash(xxhash_rust::xxh3::xxh3_64(&k.to_le_bytes())); }
 for _ in 0..2 {
 time("sbbf+hash",n,||keys.iter().filter(|k|sb.contains_hash(xxhash_rust::xxh3::xxh3_64(&k.to_le_bytes()))).count());
 time("sbbf",n,||ds.iter().filter(|d|sb.contains_hash(d.low)).count());
 time("hash",n,||keys.iter().filter(|k|h.digest(&k.to_le_bytes()).low==0).count());
 time("empty",n,||ds.iter().filter(|d|bl[hash::reduce(d.low,nb) as usize].0[0]==0).count());
 time("shift",n,||ds.iter().filter(|d|v_shift::<9>(&bl[hash::reduce(d.low,nb) as usize],d.high,k)).count());
 time("mask",n,||ds.iter().filter(|d|v_mask::<9>(&bl[hash::reduce(d.low,nb) as usize],d.high,k)).count());
 time("bt",n,||ds.iter().filter(|d|v_bt::<9>(&bl[hash::reduce(d.low,nb) as usize],d.high,k)).count());
 time("rot",n,||ds.iter().filter(|d|v_rot::<9>(&bl[hash::reduce(d.low,nb) as usize],d.high,k)).count());
 time("shift const k",n,||ds.iter().filter(|d|v_shift::<9>(&bl[hash::reduce(d.low,nb) as usize],d.high,6)).count());
 time("mask const k",n,||ds.iter().filter(|d|v_mask::<9>(&bl[hash::reduce(d.low,nb) as usize],d.high,6)).count());
 time("bt const k",n,||ds.iter().filter(|d|v_bt::<9>(&bl[hash::reduce(d.low,nb) as usize],d.high,6)).count());
 time("mask const k + hash",n,||keys.iter().filter(|k|{let d=h.digest(&k.to_le_bytes());v_mask::<9>(&bl[hash::reduce(d.low,nb) as usize],d.high,6)}).count());
 time("mask  k + hash",n,||keys.iter().filter(|kk|{let d=h.digest(&kk.to_le_bytes());v_mask::<9>(&bl[hash::reduce(d.low,nb) as usize],d.high,k)}).count());
}}
