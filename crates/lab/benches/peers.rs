fn main(){ divan::main(); }
