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
 (let ((?x141 (our.without our.addresses3 0)))
 (let ((?x140 (our.without our.addresses2 0)))
 (let ((?x139 (our.without our.addresses1 0)))
 (let ((?x138 (our.without our.addresses0 0)))
 (let (($x166 (= ?x138 ?x138)))
 (let (($x156 (and $x166 (= ?x139 ?x139))))
 (let (($x168 (and $x156 (= ?x140 ?x140))))
 (let (($x170 (and $x168 (= ?x141 ?x141))))
 (not $x170))))))))))
(check-sat)
