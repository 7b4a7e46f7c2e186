;; Loops over the values of a column. JavaScript needs three to four times the time for them, because of its checks at
;; each access. A test compiles this file to kernels-code.ts.
(module
  (memory (export "memory") 18)

  ;; Copies `rows` strings, of which value i starts at `bytes` + `starts`[i] and has `lengths`[i] bytes, to `target`.
  ;; Row i has no value if bit `bit` + i at `validity` is 0; without a `validity`, which is 0, each row has one. Writes
  ;; the position of each value and the end of the last one, both from `first` on, to `offsets`; returns that end. Reads
  ;; and writes up to 15 bytes beyond a value.
  (func (export "copyStrings")
    (param $rows i32) (param $starts i32) (param $lengths i32) (param $bytes i32) (param $validity i32) (param $bit i32)
    (param $first i32) (param $offsets i32) (param $target i32)
    (result i32)
    (local $last i32) (local $length i32) (local $source i32) (local $at i32) (local $end i32) (local $shift i32)
    (local.set $end (local.get $target))
    (local.set $shift (i32.sub (local.get $first) (local.get $target)))
    (local.set $last (i32.add (local.get $offsets) (i32.shl (local.get $rows) (i32.const 2))))
    (block $copied
      (loop $next
        (i32.store (local.get $offsets) (i32.add (local.get $end) (local.get $shift)))
        (br_if $copied (i32.eq (local.get $offsets) (local.get $last)))
        (block $null
          (if (local.get $validity)
            (then
              (br_if $null
                (i32.eqz
                  (i32.and
                    (i32.shr_u
                      (i32.load8_u (i32.add (local.get $validity) (i32.shr_u (local.get $bit) (i32.const 3))))
                      (i32.and (local.get $bit) (i32.const 7)))
                    (i32.const 1))))))
          (local.set $length (i32.load (local.get $lengths)))
          (local.set $source (i32.add (local.get $bytes) (i32.load (local.get $starts))))
          (local.set $at (local.get $end))
          (local.set $end (i32.add (local.get $end) (local.get $length)))
          (if (i32.gt_u (local.get $length) (i32.const 256))
            (then (memory.copy (local.get $at) (local.get $source) (local.get $length)))
            (else
              (loop $words
                (i64.store align=1 (local.get $at) (i64.load align=1 (local.get $source)))
                (i64.store offset=8 align=1 (local.get $at) (i64.load offset=8 align=1 (local.get $source)))
                (local.set $at (i32.add (local.get $at) (i32.const 16)))
                (local.set $source (i32.add (local.get $source) (i32.const 16)))
                (br_if $words (i32.lt_u (local.get $at) (local.get $end)))))))
        (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
        (local.set $lengths (i32.add (local.get $lengths) (i32.const 4)))
        (local.set $bit (i32.add (local.get $bit) (i32.const 1)))
        (local.set $offsets (i32.add (local.get $offsets) (i32.const 4)))
        (br $next)))
    (i32.add (local.get $end) (local.get $shift)))

  ;; Writes `rows` integers of 64 bits at `source` as integers of 128 bits to `target`.
  (func (export "widen") (param $rows i32) (param $source i32) (param $target i32)
    (local $value i64) (local $last i32)
    (local.set $last (i32.add (local.get $source) (i32.shl (local.get $rows) (i32.const 3))))
    (block $widened
      (loop $next
        (br_if $widened (i32.eq (local.get $source) (local.get $last)))
        (local.set $value (i64.load (local.get $source)))
        (i64.store (local.get $target) (local.get $value))
        (i64.store offset=8 (local.get $target) (i64.shr_s (local.get $value) (i64.const 63)))
        (local.set $source (i32.add (local.get $source) (i32.const 8)))
        (local.set $target (i32.add (local.get $target) (i32.const 16)))
        (br $next)))))
