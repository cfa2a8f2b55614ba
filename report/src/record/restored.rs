//! Restores whole records from columns, and reads the fields of records whose formula is split into cubes.

use super::cubes::ends_other_cubes;
use super::part::Part;
use super::row::{Row, Time};
use super::{Findings, Record, Setup, Source};

impl Row<'_> {
    /// The whole record.
    pub fn record(self) -> Record {
        let Source { problem, family, params, rules } = self.source().clone();
        let Setup { engine, side, encoding, axes, solver, limits, tags } = self.setup().clone();
        let owned = |word: Option<&str>| word.map(str::to_owned);
        Record {
            key: self.key(),
            attempt: self.attempt(),
            attempt_number: self.given_attempt_number(),
            environment: self.environment().to_owned(),
            build: owned(self.build()),
            node: owned(self.node()),
            cpu_model: owned(self.cpu_model()),
            pilot: owned(self.pilot()),
            problem,
            family,
            params,
            seed: self.seed(),
            instance_hash: self.instance_hash(),
            rules,
            engine,
            side,
            encoding,
            axes,
            solver,
            programs: self.programs().cloned().unwrap_or_default(),
            tags,
            repetition: self.repetition(),
            shuffle: self.shuffle(),
            solver_seed: self.solver_seed(),
            cube: owned(self.cube()),
            split_of: owned(self.split_of()),
            cubes: self.cubes(),
            limits,
            findings: self.findings(),
            contradicts: owned(self.contradicts()),
            startup_cpu_s: self.startup_cpu_s(),
            process_cpu_s: self.process_cpu_s(),
            process_wall_s: self.process_wall_s(),
            start: self.start(),
            load: self.load(),
            pressure_percent: self.pressure_percent(),
            core: self.core(),
        }
    }

    /// The results of the attempt.
    pub fn findings(self) -> Findings {
        let owned = |word: Option<&str>| word.map(str::to_owned);
        Findings {
            verdict: self.verdict(),
            limit: owned(self.limit()),
            outcome: owned(self.outcome()),
            check: self.check(),
            reason: owned(self.reason()),
            remarks: self.remarks().to_vec(),
            cpu_s: self.time(Time::Cpu),
            wall_s: self.time(Time::Wall),
            build_cpu_s: self.time(Time::Build),
            solve_cpu_s: self.time(Time::Solve),
            check_cpu_s: self.time(Time::Check),
            prove_cpu_s: self.time(Time::Prove),
            proof_bytes: self.proof_bytes(),
            peak_bytes: self.peak_bytes(),
            literals: owned(self.part().and_then(|part| part.literals.as_deref())),
            proof: self.part().and_then(|part| part.proof.clone()),
            work: self.counts().map(|(name, count)| (name.to_owned(), count)).collect(),
            answer: self.answer(),
        }
    }
}

impl<'a> Row<'a> {
    fn part(self) -> Option<&'a Part> {
        self.records.parts.get(&self.at).map(|part| &**part)
    }

    /// The number of the cube, such as `3/64` or `3.1/64`; `None` if this is not the record of a cube.
    pub fn cube(self) -> Option<&'a str> {
        self.part().and_then(|part| part.cube.as_deref())
    }

    /// If this is a half of a cube, the key of the run of that cube.
    pub fn split_of(self) -> Option<&'a str> {
        self.part().and_then(|part| part.split_of.as_deref())
    }

    /// The number of runs into which the run was cut.
    pub fn cubes(self) -> Option<u32> {
        self.part().and_then(|part| part.cubes)
    }

    /// As [`Record::ends_other_cubes`].
    pub fn ends_other_cubes(self) -> bool {
        self.cube().is_some() && ends_other_cubes(self.verdict(), self.outcome(), self.check())
    }
}

#[cfg(test)]
mod tests {
    use super::super::records::Records;
    use super::super::{Record, columns::full};

    #[test]
    fn every_value_is_restored() {
        let mut records = vec![full(), Record::default()];
        let mut other = full();
        other.key = "0123456789abcdef01234567".to_owned();
        other.instance_hash = "ab".repeat(32);
        other.attempt = "vm.1.2.03".to_owned();
        other.start = "2026-11-22T06:12:26.690340Z".to_owned();
        other.load = Some(0.1 + 0.2);
        other.pressure_percent = Some(11.31);
        other.findings.work = [0, 127, 128, u64::MAX].iter().map(|&n| (n.to_string(), n)).collect();
        other.repetition = 0;
        records.push(other);
        let mut another = full();
        another.attempt = "vm.1.2.3".to_owned();
        another.start = "2026-11-22T06:12:26.69Z".to_owned();
        another.attempt_number = Some(u32::MAX);
        another.core = Some(u32::MAX);
        another.seed = u64::MAX;
        records.push(another);
        let restored: Vec<Record> = Records::from_iter(&records).iter().map(|row| row.record()).collect();
        assert_eq!(restored, records);
    }
}
