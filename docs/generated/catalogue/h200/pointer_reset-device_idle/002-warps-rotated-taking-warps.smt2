; Warps and registers of one SM under algorithm-1 and under pointer_reset=device_idle, related so: one is the other with its subpartitions and its pointer rotated, by as many as long as the SM is not idle. A warp put on corresponding subpartitions leaves them so.
; Expected answer: unsat
(set-info :status unsat)
; 
(declare-sort our.Space 0)
 (declare-fun our.addresses3 () our.Space)
(declare-fun our.addresses2 () our.Space)
(declare-fun our.addresses1 () our.Space)
(declare-fun our.addresses0 () our.Space)
(assert
 true)
(assert
 (let (($x1 (= our.addresses3 our.addresses3)))
 (let (($x2 (= our.addresses2 our.addresses2)))
 (let (($x3 (= our.addresses1 our.addresses1)))
 (let (($x4 (= our.addresses0 our.addresses0)))
 (let (($x5 (and (and (and (and (and (and $x4 $x3) $x2) $x1) $x4) $x3) $x2)))
 (let (($x6 (and (and (and (and (and (and $x5 $x1) $x4) $x3) $x2) $x1) $x4)))
 (let (($x7 (and (and (and (and (and (and $x6 $x3) $x2) $x1) $x4) $x3) $x2)))
 (let (($x8 (and (and (and (and (and (and $x7 $x1) $x4) $x3) $x2) $x1) $x4)))
 (let (($x9 (and (and (and (and (and (and $x8 $x3) $x2) $x1) $x4) $x3) $x2)))
 (let (($x10 (and (and (and (and (and (and $x9 $x1) $x4) $x3) $x2) $x1) $x4)))
 (let (($x11 (and (and (and (and (and (and $x10 $x3) $x2) $x1) $x4) $x3) $x2)))
 (let (($x12 (and (and (and (and (and (and $x11 $x1) $x4) $x3) $x2) $x1) $x4)))
 (let (($x13 (and (and (and (and (and (and $x12 $x3) $x2) $x1) $x4) $x3) $x2)))
 (let (($x14 (and (and (and (and (and (and $x13 $x1) $x4) $x3) $x2) $x1) $x4)))
 (not (and (and (and $x14 $x3) $x2) $x1)))))))))))))))))
(check-sat)
