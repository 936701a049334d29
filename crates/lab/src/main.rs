//! The lab's command line: the name of an experiment.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("peers"), None) => bloomwise_lab::peers::run(),
        (Some("batches"), None) => bloomwise_lab::batches::run(),
        (Some("balanced"), None) => bloomwise_lab::balanced::run(),
        (Some("personalized"), None) => bloomwise_lab::personalized::run(),
        (Some("known"), None) => bloomwise_lab::known::run(),
        (Some("guarded"), None) => bloomwise_lab::guarded::run(),
        (Some("seesaw"), None) => bloomwise_lab::seesaw::run(),
        _ => {
            eprintln!(
                "bloomwise-lab: name one experiment; there are: peers, batches, personalized, balanced, known, guarded, seesaw"
            );
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
