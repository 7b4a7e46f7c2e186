;; Reads the string records of a DuckDB vector: 4 bytes of length, then up to 12 bytes of content, or 4 of them and the
;; address of the content. The test of string-reader.ts compiles this file to read-strings-code.ts.
(module
  (memory (export "memory") 2)

  ;; Reads `rows` records at `records`, the first of which is record `record` of the vector. Row i is NULL if bit i at
  ;; `validity` is 0; without a `validity`, which is 0, no row is.
  ;; Writes for each row its length in bytes, 0 for NULL, to `lengths`, and to `starts` the position of its content in
  ;; the records followed by the runs. A run is a range of the engine's memory with contents in their order and gaps of
  ;; less than 64 bytes; the first starts at `position`. Writes the index and the length of each run to `runs`, and to
  ;; `sums` the sum of the lengths and the end of the last run, as numbers of 64 bits. Returns the number of runs.
  (func (export "read")
    (param $rows i32) (param $records i32) (param $validity i32) (param $record i32) (param $position f64)
    (param $lengths i32) (param $starts i32) (param $runs i32) (param $sums i32)
    (result i32)
    (local $row i32) (local $length i32) (local $count i32)
    (local $total i64) (local $at i64) (local $address i64) (local $size i64) (local $gap i64)
    (local.set $at (i64.trunc_f64_s (local.get $position)))
    (block $end
      (loop $next
        (br_if $end (i32.eq (local.get $row) (local.get $rows)))
        (local.set $length (i32.load (local.get $records)))
        (if (local.get $validity)
          (then
            (if
              (i32.eqz
                (i32.and
                  (i32.shr_u
                    (i32.load8_u (i32.add (local.get $validity) (i32.shr_u (local.get $row) (i32.const 3))))
                    (i32.and (local.get $row) (i32.const 7)))
                  (i32.const 1)))
              (then (local.set $length (i32.const 0))))))
        (i32.store (local.get $lengths) (local.get $length))
        (local.set $total (i64.add (local.get $total) (i64.extend_i32_u (local.get $length))))
        (if (i32.le_u (local.get $length) (i32.const 12))
          (then
            (i32.store
              (local.get $starts)
              (i32.add
                (i32.shl (i32.add (local.get $record) (local.get $row)) (i32.const 4))
                (i32.const 4))))
          (else
            (local.set $gap
              (i64.sub
                (i64.load offset=8 (local.get $records))
                (i64.add (local.get $address) (local.get $size))))
            ;; A negative gap is a large one without its sign.
            (if (i32.or (i32.eqz (local.get $count)) (i64.ge_u (local.get $gap) (i64.const 64)))
              (then
                (if (local.get $count)
                  (then
                    (i32.store offset=4 (local.get $runs) (i32.wrap_i64 (local.get $size)))
                    (local.set $runs (i32.add (local.get $runs) (i32.const 8)))))
                (local.set $count (i32.add (local.get $count) (i32.const 1)))
                (i32.store (local.get $runs) (i32.add (local.get $record) (local.get $row)))
                (local.set $at (i64.add (local.get $at) (local.get $size)))
                (local.set $size (i64.const 0))
                (local.set $address (i64.load offset=8 (local.get $records))))
              (else (local.set $size (i64.add (local.get $size) (local.get $gap)))))
            (i32.store
              (local.get $starts)
              (i32.wrap_i64 (i64.add (local.get $at) (local.get $size))))
            (local.set $size (i64.add (local.get $size) (i64.extend_i32_u (local.get $length))))))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (local.set $records (i32.add (local.get $records) (i32.const 16)))
        (local.set $lengths (i32.add (local.get $lengths) (i32.const 4)))
        (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
        (br $next)))
    (if (local.get $count)
      (then (i32.store offset=4 (local.get $runs) (i32.wrap_i64 (local.get $size)))))
    (f64.store (local.get $sums) (f64.convert_i64_u (local.get $total)))
    (f64.store offset=8 (local.get $sums) (f64.convert_i64_u (i64.add (local.get $at) (local.get $size))))
    (local.get $count)))
