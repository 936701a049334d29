//! The command's `update`: in a file, it does what the library does in memory.

use super::keys::Form;
use super::life::Life;
use anyhow::{Context, Result, ensure};
use bloomwise::{AnyFilter, Error, Family, Key, Operation, Persist};
use std::ops::Range;
use std::process::Command;

impl Life<'_> {
    /// Guards, removes and inserts keys with the command, and continues with the file that it wrote. Where the command refuses, so must the library, and the
    /// file stays as it was.
    pub fn update(
        &mut self,
        guard: Range<usize>,
        remove: Range<usize>,
        insert: Range<usize>,
    ) -> Result<()> {
        let (Some(folder), Some(command)) = (self.world.folder, self.world.command) else {
            return Ok(());
        };
        // The command reads keys by lines.
        if self.case.form != Form::Text {
            return Ok(());
        }
        let can = |operation| self.filter.check_operation(operation).is_ok();
        let member = |&number: &usize| self.held[number] > 0;
        let cuckoo = self.case.family == Family::Cuckoo;
        let mut changes: Vec<(&str, Vec<usize>)> = Vec::new();
        if can(Operation::Guard) {
            let legal = |number: &usize| !cuckoo || !member(number);
            changes.push(("guard", guard.filter(legal).collect()));
        }
        if can(Operation::Remove) {
            changes.push(("remove", remove.filter(member).collect()));
        }
        changes.push(("insert", insert.collect()));

        let expected = self.changed(&changes);
        let name = format!("{:016x}", self.draw.bits());
        let path = folder.join(format!("{name}.bloomwise"));
        self.filter.save(&path)?;
        let before = std::fs::read(&path)?;
        let mut process = Command::new(command);
        process.arg("update").arg(&path);
        for (option, numbers) in &changes {
            let keys = folder.join(format!("{name}.{option}"));
            std::fs::write(&keys, self.lines(numbers))?;
            process.arg(format!("--{option}")).arg(keys);
        }
        let output = process.output().context("the command cannot be started")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        let after = std::fs::read(&path)?;
        match expected {
            Err(Error::Full { .. }) => {
                ensure!(!output.status.success(), "the command found room");
                ensure!(after == before, "a refused update changed the file");
                return Ok(());
            }
            expected => {
                ensure!(output.status.success(), "the command failed: {errors}");
                ensure!(
                    after == expected?.to_bytes(),
                    "the command and the library give different files"
                );
            }
        }
        self.filter = AnyFilter::load(&path).context("the command wrote it")?;
        self.record(&changes)
    }

    /// The filter after these changes, made by the library.
    fn changed(&self, changes: &[(&str, Vec<usize>)]) -> bloomwise::Result<AnyFilter> {
        let mut filter = self.filter.clone();
        for (change, numbers) in changes {
            let digests = self.keys.digests_of(numbers);
            match *change {
                "guard" => filter.guard_digests(&digests, &vec![1.0; digests.len()])?,
                "remove" => _ = filter.remove_digests(&digests)?,
                _ => filter.insert_digests(&digests)?,
            }
        }
        Ok(filter)
    }

    /// Counts what was changed.
    fn record(&mut self, changes: &[(&str, Vec<usize>)]) -> Result<()> {
        self.tally.updates += 1;
        for (change, numbers) in changes {
            match *change {
                "guard" => self.note_guards(numbers),
                "remove" => numbers.iter().for_each(|&number| self.release(number)),
                _ => self.hold(numbers.iter().copied())?,
            }
        }
        Ok(())
    }

    /// These keys, one a line.
    fn lines(&self, numbers: &[usize]) -> Vec<u8> {
        let mut text = Vec::new();
        for &number in numbers {
            self.keys.key(number).with_bytes(|key| text.extend(key));
            text.push(b'\n');
        }
        text
    }
}
