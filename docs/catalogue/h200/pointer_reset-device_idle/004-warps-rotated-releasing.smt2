; Warps and registers of one SM under algorithm-1 and under pointer_reset=device_idle, related so: one is the other with its subpartitions and its pointer rotated, by as many as long as the SM is not idle. A block released on both, others staying, leaves them so.
; Expected answer: unsat
(set-info :status unsat)
; 
(declare-sort Space 0)
 (declare-fun without (Space Int) Space)
(declare-fun addresses3 () Space)
(declare-fun addresses2 () Space)
(declare-fun addresses1 () Space)
(declare-fun addresses0 () Space)
(assert
 true)
(assert
 (let ((?x138 (without addresses0 0)))
 (let (($x166 (= ?x138 ?x138)))
 (let (($x156 (and $x166 (= (without addresses1 0) (without addresses1 0)))))
 (let (($x168 (and $x156 (= (without addresses2 0) (without addresses2 0)))))
 (let (($x170 (and $x168 (= (without addresses3 0) (without addresses3 0)))))
 (not $x170)))))))
(check-sat)
