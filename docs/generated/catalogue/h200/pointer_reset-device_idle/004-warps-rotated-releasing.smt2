; Warps and registers of one SM under algorithm-1 and under pointer_reset=device_idle, related so: one is the other with its subpartitions and its pointer rotated, by as many as long as the SM is not idle. A block released on both, others staying, leaves them so.
; Expected answer: unsat
(set-info :status unsat)
; 
(declare-sort our.Space 0)
 (declare-fun our.without (our.Space Int) our.Space)
(declare-fun our.addresses3 () our.Space)
(declare-fun our.addresses2 () our.Space)
(declare-fun our.addresses1 () our.Space)
(declare-fun our.addresses0 () our.Space)
(assert
 true)
(assert
 (let ((?x1 (our.without our.addresses3 0)))
 (let ((?x2 (our.without our.addresses2 0)))
 (let ((?x3 (our.without our.addresses1 0)))
 (let ((?x4 (our.without our.addresses0 0)))
 (let (($x5 (and (and (and (= ?x4 ?x4) (= ?x3 ?x3)) (= ?x2 ?x2)) (= ?x1 ?x1))))
 (not $x5)))))))
(check-sat)
