// bounded: depth 16
// cover: depth 16
// cut: dut.crc_q
// Whatever comes on XGMII, the stream keeps its rules: whole words until the last, but for the first of a
// frame from lane 4, no pause inside a frame, one report for each frame, no frame beyond the limit, one stamp
// a frame; behind a frame that ends in lanes 4 to 7 no other follows at once. The CRC may come out as it likes.
module xgmii_rx_properties
  import net_pkg::*;
(
    input logic clk,
    input logic [63:0] xgmii_rxd,
    input logic [7:0] xgmii_rxc,
    input logic [63:0] now_ns,
    input logic [63:0] now_lane4_ns
);

  localparam int unsigned MAX_FRAME_BYTES = 70;

  logic started = 1'b0;
  logic rst;
  logic [63:0] m_axis_tdata, m_axis_tstamp;
  logic [7:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tlast, m_axis_tuser;
  rx_error_t m_axis_terror;
  rx_event_t rx_event;
  assign rst = !started;

  xgmii_rx #(.MAX_FRAME_BYTES(MAX_FRAME_BYTES)) dut (.*);

  logic open = 1'b0;
  logic ended = 1'b0;
  logic [3:0] beats = '0;
  logic upper = 1'b0;  // a frame has ended in lanes 4 to 7
  logic lane4;
  logic [7:0] keep;
  assign lane4 = !open && !m_axis_tkeep[0];
  assign keep = lane4 ? m_axis_tkeep >> 4 : m_axis_tkeep;
  logic [63:0] stamp;
  logic [4:0] ends;
  assign ends = {rx_event.good, rx_event.bad_fcs, rx_event.coding, rx_event.runt, rx_event.giant};

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (started) begin
      ended <= m_axis_tvalid && m_axis_tlast;
      if (m_axis_tvalid) begin
        open  <= !m_axis_tlast;
        beats <= m_axis_tlast ? '0 : beats + 4'd1;
        stamp <= m_axis_tstamp;
        if (lane4) assert (m_axis_tkeep[3:0] == '0);
        if (!m_axis_tlast) assert (keep == (lane4 ? 8'h0f : 8'hff));
        else assert (keep[0] && (keep & (keep + 8'd1)) == '0);
        if (m_axis_tlast) assert (m_axis_tuser == (m_axis_terror != RX_OK));
        if (open) assert (m_axis_tstamp == stamp);
        assert (beats < 4'((MAX_FRAME_BYTES + 4) / 8 + 1));
      end
      upper <= m_axis_tvalid && m_axis_tlast && m_axis_tkeep[7:4] != '0;
      if (upper) assert (!m_axis_tvalid);
      if (open) assert (m_axis_tvalid);
      assert ((ends & (ends - 5'd1)) == '0);
      if (ended) assert (ends != '0);

      cover (ended && rx_event.giant);
      cover (ended && rx_event.coding);
      cover (ended && rx_event.runt);
      cover (ended && rx_event.bad_fcs);
      cover (m_axis_tvalid && m_axis_tlast && m_axis_tkeep == 8'h07);
      cover (m_axis_tvalid && m_axis_tlast && lane4);
      cover (upper);
      cover (rx_event.bad_preamble);
    end
  end

endmodule
