; Warps and registers of one SM under algorithm-1 and under pointer_reset=never, related so: one is the other with its subpartitions and its pointer rotated, by as many as long as the SM is not idle. A block released on both, others staying, leaves them so.
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
 (let ((?x283 (without addresses0 0)))
 (let (($x251 (= ?x283 ?x283)))
 (let (($x261 (and $x251 (= (without addresses1 0) (without addresses1 0)))))
 (let (($x253 (and $x261 (= (without addresses2 0) (without addresses2 0)))))
 (let (($x245 (and $x253 (= (without addresses3 0) (without addresses3 0)))))
 (not $x245)))))))
(check-sat)
